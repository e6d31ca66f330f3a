/* SPDX-License-Identifier: MIT */
#include <ctype.h>

static int within(int c, int first, int last)
{
	return c >= first && c <= last;
}

int isdigit(int c)
{
	return within(c, '0', '9');
}

int islower(int c)
{
	return within(c, 'a', 'z');
}

int isupper(int c)
{
	return within(c, 'A', 'Z');
}

int isalpha(int c)
{
	return islower(c) || isupper(c);
}

int isalnum(int c)
{
	return isalpha(c) || isdigit(c);
}

int isblank(int c)
{
	return c == ' ' || c == '\t';
}

int iscntrl(int c)
{
	return within(c, 0, 31) || c == 127;
}

int isgraph(int c)
{
	return within(c, 33, 126);
}

int isprint(int c)
{
	return within(c, 32, 126);
}

int ispunct(int c)
{
	return isgraph(c) && !isalnum(c);
}

int isspace(int c)
{
	return c == ' ' || within(c, '\t', '\r');
}

int isxdigit(int c)
{
	return isdigit(c) || within(c, 'a', 'f') || within(c, 'A', 'F');
}

int tolower(int c)
{
	return isupper(c) ? c + ('a' - 'A') : c;
}

int toupper(int c)
{
	return islower(c) ? c - ('a' - 'A') : c;
}
