#include "events/espmon/config.h"
#include "events/mrfld_visa/config.h"
#include "events/upmem/config.h"
#include "events/hexagon/config.h"
