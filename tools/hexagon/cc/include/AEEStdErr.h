/* SPDX-License-Identifier: MIT */
/* Results of the SDK's functions: those that programs name. On the DSP errors begin at AEE_EOFFSET. */
#ifndef AEE_STD_ERR_H
#define AEE_STD_ERR_H

#define AEE_EOFFSET 0x80000400
#define AEE_SUCCESS 0
#define AEE_EUNKNOWN (-1)
#define AEE_EFAILED (AEE_EOFFSET + 0x1)
#define AEE_ENOMEMORY (AEE_EOFFSET + 0x2)
#define AEE_EALREADYLOADED (AEE_EOFFSET + 0x5)
#define AEE_EEXPIRED (AEE_EOFFSET + 0xc)
#define AEE_EBADSTATE (AEE_EOFFSET + 0xd)
#define AEE_EBADPARM (AEE_EOFFSET + 0xe)
#define AEE_EUNSUPPORTED (AEE_EOFFSET + 0x14)
#define AEE_ERESOURCENOTFOUND (AEE_EOFFSET + 0x16)

typedef int AEEResult;

#endif
