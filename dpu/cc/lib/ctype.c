// SPDX-License-Identifier: MIT
/* Kinds of characters, ASCII. */
#include <ctype.h>

int isdigit(int c)
{
	return c >= '0' && c <= '9';
}

int islower(int c)
{
	return c >= 'a' && c <= 'z';
}

int isupper(int c)
{
	return c >= 'A' && c <= 'Z';
}

int isalpha(int c)
{
	return islower(c | 32);
}

int isalnum(int c)
{
	return isalpha(c) || isdigit(c);
}

int isprint(int c)
{
	return c >= 32 && c < 127;
}

int isspace(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

int isxdigit(int c)
{
	return isdigit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

int tolower(int c)
{
	return isupper(c) ? c + 32 : c;
}

int toupper(int c)
{
	return islower(c) ? c - 32 : c;
}
