/* The part of JSON that a target needs: values are found in the text, and no tree is allocated. */
#ifndef MOORING_JSON_H
#define MOORING_JSON_H

#include <stddef.h>

/* The value of a member of the object that begins at `text`; NULL if there is none. */
const char *json_member(const char *text, const char *name);
/* The nth element of the array that begins at `text`; NULL after the last. */
const char *json_element(const char *text, int n);
/* Copies a string unchanged, without its quotes; 0 if it is not a string, or longer than `size`. */
int json_raw(const char *text, char *into, size_t size);
/* Copies a string with its escapes resolved; also 0 if it has escapes other than \" \/ \\. */
int json_string(const char *text, char *into, size_t size);

#endif
