#include "json.h"

#include <string.h>

static const char *blank(const char *at) {
  while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t') at++;
  return at;
}

/* Returns the position after the value that begins here. */
static const char *skip(const char *at) {
  int depth = 0;
  do {
    at = blank(at);
    if (*at == '\0') return at;
    if (*at == '"') {
      for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++;
      if (*at) at++;
    } else if (*at == '{' || *at == '[') {
      depth++;
      at++;
    } else if (*at == '}' || *at == ']') {
      depth--;
      at++;
    } else if (*at == ',' || *at == ':') {
      at++;
    } else {
      at += strcspn(at, ",:]} \n\r\t");
    }
  } while (depth > 0);
  return blank(at);
}

const char *json_member(const char *text, const char *name) {
  char key[64];
  const char *at = blank(text);
  if (*at++ != '{') return NULL;
  for (at = blank(at); *at == '"';) {
    int is_it = json_string(at, key, sizeof key) && strcmp(key, name) == 0;
    at = skip(at);
    if (*at != ':') return NULL;
    at = blank(at + 1);
    if (is_it) return at;
    at = skip(at);
    if (*at != ',') return NULL;
    at = blank(at + 1);
  }
  return NULL;
}

const char *json_element(const char *text, int n) {
  const char *at = blank(text);
  if (*at != '[') return NULL;
  at = blank(at + 1);
  if (*at == ']') return NULL;
  for (; n > 0; n--) {
    at = skip(at);
    if (*at != ',') return NULL;
    at = blank(at + 1);
  }
  return at;
}

int json_raw(const char *text, char *into, size_t size) {
  if (!text || *text != '"') return 0;
  size_t length = 1;
  while (text[length] && text[length] != '"') length += text[length] == '\\' && text[length + 1] ? 2 : 1;
  if (text[length] != '"' || length > size) return 0;
  memcpy(into, text + 1, length - 1);
  into[length - 1] = '\0';
  return 1;
}

int json_string(const char *text, char *into, size_t size) {
  size_t length = 0;
  if (!json_raw(text, into, size)) return 0;
  for (const char *from = into; *from; from++) {
    /* Filenames and links need no other escapes. */
    if (*from == '\\' && (!*++from || !strchr("\"/\\", *from))) return 0;
    into[length++] = *from;
  }
  into[length] = '\0';
  return 1;
}
