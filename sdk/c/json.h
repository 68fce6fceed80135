/* As much JSON as a target needs: values are found in the text, nothing is allocated for the tree. */
#ifndef MOORING_JSON_H
#define MOORING_JSON_H

#include <stddef.h>

/* The value of a member of the object that begins at `text`; NULL if there is none. */
const char *json_member(const char *text, const char *name);
/* The nth element of the array that begins at `text`; NULL after the last. */
const char *json_element(const char *text, int n);
/* Copies a string as it stands, without its quotes; 0 if it is no string, or longer than `size`. */
int json_raw(const char *text, char *into, size_t size);
/* Copies a string without its escapes; 0 also if it has others than \" \/ \\. */
int json_string(const char *text, char *into, size_t size);

#endif
