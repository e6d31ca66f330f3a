/* SPDX-License-Identifier: GPL-2.0-only */
/* Twiddle factors of FFTs of 64 samples, with 14 fractional bits. */
/* 16384 cos(2 pi k / 64) */
static const short cosine[17] = {
	16384, 16305, 16069, 15679, 15137, 14449, 13623, 12665, 11585, 10394, 9102, 7723, 6270, 4756, 3196, 1606, 0,
};

static int cos_of(int k)
{
	k &= 63;
	k = k > 32 ? 64 - k : k;
	return k > 16 ? -cosine[32 - k] : cosine[k];
}
