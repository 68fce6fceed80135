/*
 * Keeps the files in a folder up to date with the platform's target: a reference client for Linux.
 *
 *   MOORING_KEY=... mooring-update <platform> <mqtt host> <mqtt port> <device id> <folder>
 *
 * The installed version is determined from the files in the folder, by checksum; downloads are stored beside them, named
 * after their checksum. The only other state is the list of files that are being replaced, so that the program can be
 * killed at any time.
 */
#include <curl/curl.h>
#include <dirent.h>
#include <errno.h>
#include <mosquitto.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "json.h"

enum { COMPONENTS_MAX = 50, TRIES = 5, MISMATCHES_MAX = 3, RETRY_S = 60, RETRY_MAX_S = 6 * 3600 };

struct component {
  /* The raw names are as in the JSON, to be sent back. */
  char name[256], raw_name[512], raw_version[512], sha256[65], url[2048];
  /* The filename of the download. Two components may have the same file, but each needs its own download. */
  char download[80];
  long long size;
  int differs;
};
struct target {
  long long sequence;
  char bundle[65];
  int count;
  struct component components[COMPONENTS_MAX];
};

static const char *platform, *device, *key, *folder;
static struct mosquitto *mqtt;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news;
/* The latest message, and whether it has not been processed yet. */
static char *received;
static int is_new;

/* ---- reports ---- */

static void say(const char *topic, const char *json) {
  char full[160];
  snprintf(full, sizeof full, "d/%s/%s", device, topic);
  printf("%s %s\n", topic, json);
  fflush(stdout);
  /* At QoS 1, the message is sent again after a lost connection. */
  mosquitto_publish(mqtt, NULL, full, (int)strlen(json), json, 1, false);
}

/* `more`: further members as JSON. */
static void say_progress(const struct target *target, const char *state, const char *more, ...) {
  char json[1024];
  va_list values;
  int at = snprintf(json, sizeof json, "{\"state\":\"%s\",\"sequence\":%lld", state, target->sequence);
  va_start(values, more);
  at += vsnprintf(json + at, sizeof json - (size_t)at, more, values);
  va_end(values);
  /* Truncated text would not be valid JSON. */
  if (at >= (int)sizeof json - 1) return;
  snprintf(json + at, sizeof json - (size_t)at, "}");
  say("progress", json);
}

static const char *say_failed(const struct target *target, const char *code, const char *why) {
  say_progress(target, "failed", ",\"code\":\"%s\",\"error\":\"%s\"", code, why);
  return code;
}

static void say_installed(const struct target *target) {
  char json[COMPONENTS_MAX * 1200 + 256];
  int at = snprintf(json, sizeof json, "{\"bundleId\":\"%s\",\"sequence\":%lld,\"components\":[", target->bundle,
                    target->sequence);
  for (int i = 0; i < target->count; i++)
    at += snprintf(json + at, sizeof json - (size_t)at,
                   "%s{\"component\":\"%s\",\"version\":\"%s\",\"sha256\":\"%s\"}", i ? "," : "",
                   target->components[i].raw_name, target->components[i].raw_version, target->components[i].sha256);
  snprintf(json + at, sizeof json - (size_t)at, "]}");
  say("installed", json);
}

/* ---- files ---- */

static char *path_of(char *into, const char *sub, const char *name) {
  snprintf(into, 4096, "%s/%s%s", folder, sub, name);
  return into;
}

static int has_checksum(const char *path, const char *sha256) {
  unsigned char block[65536], digest[EVP_MAX_MD_SIZE];
  char hex[65] = "";
  unsigned size = 0;
  size_t read;
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  EVP_MD_CTX *hash = EVP_MD_CTX_new();
  EVP_DigestInit_ex(hash, EVP_sha256(), NULL);
  while ((read = fread(block, 1, sizeof block, file)) > 0) EVP_DigestUpdate(hash, block, read);
  if (ferror(file) || !EVP_DigestFinal_ex(hash, digest, &size)) size = 0;
  EVP_MD_CTX_free(hash);
  fclose(file);
  for (unsigned i = 0; i < size && i < 32; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
  return strcasecmp(hex, sha256) == 0;
}

/* ---- the target ---- */

/* 1: read. 0: there is no target. -1: there is one, but it has a component that this client cannot use. */
static int parse(const char *json, struct target *target) {
  const char *one, *list = json_member(json, "components"), *number = json_member(json, "sequence");
  memset(target, 0, sizeof *target);
  if (!list || !number || !json_string(json_member(json, "bundleId"), target->bundle, sizeof target->bundle))
    return 0;
  target->sequence = atoll(number);
  while ((one = json_element(list, target->count))) {
    if (target->count == COMPONENTS_MAX) return -1;
    struct component *into = &target->components[target->count++];
    const char *size = json_member(one, "size");
    if (!size || !json_string(json_member(one, "component"), into->name, sizeof into->name) ||
        !json_raw(json_member(one, "component"), into->raw_name, sizeof into->raw_name) ||
        !json_raw(json_member(one, "version"), into->raw_version, sizeof into->raw_version) ||
        !json_string(json_member(one, "sha256"), into->sha256, sizeof into->sha256) ||
        !json_string(json_member(one, "url"), into->url, sizeof into->url))
      return -1;
    into->size = atoll(size);
    /* Both become filenames. */
    if (!into->name[0] || into->name[0] == '.' || strchr(into->name, '/') || strspn(into->sha256, "0123456789abcdefABCDEF") != 64)
      return -1;
    int same = 0;
    for (int i = 0; i < target->count - 1; i++) same += strcasecmp(target->components[i].sha256, into->sha256) == 0;
    snprintf(into->download, sizeof into->download, same ? ".download-%s-%d" : ".download-%s", into->sha256, same);
  }
  return 1;
}

/* Reads the target over HTTP; the answer has fresh links. 0: no answer. */
static int read_target(struct target *target) {
  char url[2048];
  long status = 0;
  char *text = NULL;
  size_t length = 0;
  FILE *answer = open_memstream(&text, &length);
  CURL *curl = answer ? curl_easy_init() : NULL;
  if (!curl) {
    if (answer) fclose(answer);
    free(text);
    return 0;
  }
  snprintf(url, sizeof url, "%s/device/v1/target", platform);
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_USERNAME, device);
  curl_easy_setopt(curl, CURLOPT_PASSWORD, key);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, 60L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXFILESIZE, 1024L * 1024);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, answer);
  CURLcode done = curl_easy_perform(curl);
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_cleanup(curl);
  int is_read = fclose(answer) == 0 && done == CURLE_OK && status == 200;
  if (is_read && parse(text, target) != 1) target->sequence = -1;
  free(text);
  return is_read;
}

/* ---- the download ---- */

struct download {
  const struct target *target;
  const struct component *one;
  CURL *curl;
  FILE *file;
  long long offset;
  int percent, is_begun, is_too_long, is_full;
};

static size_t take(char *data, size_t size, size_t count, void *into) {
  struct download *to = into;
  size_t length = size * count;
  long status = 0;
  curl_easy_getinfo(to->curl, CURLINFO_RESPONSE_CODE, &status);
  /* The body of an error answer. */
  if (status != 200 && status != 206) return length;
  if (!to->is_begun && status == 200 && to->offset > 0) {
    /* The whole file although a part was requested: never append it. */
    if (ftruncate(fileno(to->file), 0) != 0) return 0;
    rewind(to->file);
    to->offset = 0;
  }
  to->is_begun = 1;
  to->is_too_long = to->offset + (long long)length > to->one->size;
  if (to->is_too_long) return 0;
  if (fwrite(data, 1, length, to->file) != length) {
    to->is_full = errno == ENOSPC || errno == EDQUOT;
    return 0;
  }
  to->offset += (long long)length;
  int percent = (int)(100 * to->offset / to->one->size);
  if (percent / 5 > to->percent / 5)
    say_progress(to->target, "downloading", ",\"percent\":%d,\"component\":\"%s\"", percent, to->one->raw_name);
  to->percent = percent;
  return length;
}

/* Makes one request from the end of the partial file; returns the status, or 0 if the connection was lost. */
static long request(struct download *to, const char *path) {
  char range[32];
  long status = 0;
  curl_off_t wait_s = 0;
  if (!(to->file = fopen(path, "ab"))) return -1;
  fseek(to->file, 0, SEEK_END);
  to->offset = ftell(to->file);
  to->is_begun = to->is_too_long = to->is_full = 0;
  to->curl = curl_easy_init();
  if (!to->curl) {
    fclose(to->file);
    return 0;
  }
  curl_easy_setopt(to->curl, CURLOPT_URL, to->one->url);
  snprintf(range, sizeof range, "%lld-", to->offset);
  if (to->offset > 0) curl_easy_setopt(to->curl, CURLOPT_RANGE, range);
  curl_easy_setopt(to->curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(to->curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(to->curl, CURLOPT_LOW_SPEED_LIMIT, 64L);
  curl_easy_setopt(to->curl, CURLOPT_LOW_SPEED_TIME, 60L);
  curl_easy_setopt(to->curl, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(to->curl, CURLOPT_WRITEDATA, to);
  CURLcode done = curl_easy_perform(to->curl);
  curl_easy_getinfo(to->curl, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(to->curl, CURLINFO_RETRY_AFTER, &wait_s);
  curl_easy_cleanup(to->curl);
  /* Synced, so that the file contains all counted bytes after a power cut. */
  int is_stored = fflush(to->file) == 0 && fsync(fileno(to->file)) == 0;
  if (!is_stored) to->is_full |= errno == ENOSPC || errno == EDQUOT;
  if (fclose(to->file) != 0 || !is_stored) return 0;
  if (status == 429 || status == 503) sleep(wait_s > 0 && wait_s < RETRY_MAX_S ? (unsigned)wait_s : 30);
  return done == CURLE_OK || (done == CURLE_WRITE_ERROR && to->is_too_long) ? status : 0;
}

/* NULL: the file is complete and its checksum is right. Otherwise the code of the failure. */
static const char *fetch(struct target *target, struct component *one, const char *path) {
  struct download to = {.target = target, .one = one};
  struct stat file;
  struct target fresh;
  const char *code = "network";
  for (int failures = 0; failures < TRIES;) {
    long long before = stat(path, &file) == 0 ? (long long)file.st_size : 0;
    long status = before < one->size ? request(&to, path) : 416;
    if (status == -1) return errno == ENOSPC || errno == EDQUOT ? "no_space" : "install_failed";
    if (to.is_full) return "no_space";
    if (status == 416 || to.is_too_long || (stat(path, &file) == 0 && file.st_size >= one->size)) {
      if (has_checksum(path, one->sha256)) return NULL;
      unlink(path);
      return "hash_mismatch";
    }
    if (status == 403) {
      /* The link has expired: a different target ends this download, the same target has a new link. */
      if (!read_target(&fresh)) return "network";
      if (fresh.sequence != target->sequence) return "superseded";
      for (int i = 0; i < fresh.count; i++)
        if (strcmp(fresh.components[i].name, one->name) == 0) memcpy(one->url, fresh.components[i].url, sizeof one->url);
    }
    code = status == 403 ? "url_expired" : status == 429 || status == 503 ? "server_busy" : "network";
    failures = stat(path, &file) == 0 && file.st_size > before ? 0 : failures + 1;
    if (status == 0) sleep(1);
  }
  return code;
}

/* ---- the installation ---- */

/* Restores one old file; if there was none, removes the new one. */
static void restore(const char *name) {
  char now[4096], old[4096];
  if (rename(path_of(old, ".old-", name), path_of(now, "", name)) != 0 && errno == ENOENT) unlink(now);
}

/*
 * `.trial` lists the files of an update, from before the first is replaced until the update has proven itself. An
 * update that was killed in between is checked or reverted as a whole.
 */
static int begin_trial(const struct target *target) {
  char path[4096], fresh[4096];
  FILE *file = fopen(path_of(fresh, "", ".trial.new"), "w");
  if (!file) return 0;
  fprintf(file, "%lld\n", target->sequence);
  for (int i = 0; i < target->count; i++)
    if (target->components[i].differs) fprintf(file, "%s %s\n", target->components[i].sha256, target->components[i].name);
  int is_written = fflush(file) == 0 && fsync(fileno(file)) == 0;
  return fclose(file) == 0 && is_written && rename(fresh, path_of(path, "", ".trial")) == 0;
}

static void end_trial(void) {
  char path[4096];
  unlink(path_of(path, "", ".trial"));
}

/*
 * Whether this update has begun to replace files, which then count as different. Files replaced by another update are
 * restored.
 */
static int resume_trial(struct target *target) {
  char path[4096], line[512], sha256[65], name[256];
  long long sequence = -1;
  FILE *file = fopen(path_of(path, "", ".trial"), "r");
  if (!file) return 0;
  int is_this = fgets(line, sizeof line, file) && sscanf(line, "%lld", &sequence) == 1 && sequence == target->sequence;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "%64s %255[^\n]", sha256, name) != 2) continue;
    if (!is_this && has_checksum(path_of(path, "", name), sha256)) restore(name);
    for (int i = 0; is_this && i < target->count; i++)
      if (strcmp(target->components[i].name, name) == 0) target->components[i].differs = 1;
  }
  fclose(file);
  if (!is_this) end_trial();
  return is_this;
}

/* Installs the new files and keeps the old ones; `back`: restores the old ones. */
static int swap(const struct target *target, int back) {
  char now[4096], old[4096], download[4096];
  int is_ok = 1;
  for (int i = 0; i < target->count; i++) {
    const struct component *one = &target->components[i];
    int is_new = has_checksum(path_of(now, "", one->name), one->sha256);
    path_of(old, ".old-", one->name);
    path_of(download, "", one->download);
    /* A file replaced before a kill already has its backup; a file that was not installed needs no restore. */
    if (!one->differs || is_new != back) continue;
    if (back) {
      restore(one->name);
      continue;
    }
    unlink(old);
    /* A file that cannot be backed up is not replaced; the file system may not support links. */
    if ((link(now, old) != 0 && errno != ENOENT) || rename(download, now) != 0) is_ok = 0;
  }
  return is_ok;
}

/* An executable `.check` in the folder is the self-test. */
static int is_working(void) {
  char check[4096], command[4200];
  if (access(path_of(check, "", ".check"), X_OK) != 0) return 1;
  snprintf(command, sizeof command, "cd '%s' && ./.check", folder);
  return system(command) == 0;
}

static int is_refused(const struct target *target) {
  char path[4096];
  long long sequence = -1;
  FILE *file = fopen(path_of(path, "", ".refused"), "r");
  if (!file) return 0;
  if (fscanf(file, "%lld", &sequence) != 1) sequence = -1;
  fclose(file);
  return sequence == target->sequence;
}

static void refuse(const struct target *target) {
  char path[4096], fresh[4096];
  FILE *file = fopen(path_of(fresh, "", ".refused.new"), "w");
  if (!file) return;
  fprintf(file, "%lld\n", target->sequence);
  /* On a full disk, the previous file stays. */
  if (fclose(file) == 0) rename(fresh, path_of(path, "", ".refused"));
  else unlink(fresh);
}

/* Removes downloads for other targets, which would fill the disk over time. */
static void drop_leftovers(const struct target *target) {
  char path[4096];
  struct dirent *entry;
  DIR *listing = opendir(folder);
  if (!listing) return;
  while ((entry = readdir(listing))) {
    if (strncmp(entry->d_name, ".download-", 10) != 0) continue;
    int is_needed = 0;
    for (int i = 0; i < target->count; i++)
      if (strcmp(entry->d_name, target->components[i].download) == 0) is_needed = 1;
    if (!is_needed) unlink(path_of(path, "", entry->d_name));
  }
  closedir(listing);
}

/* Downloads missing files. NULL: everything is downloaded. Otherwise the code of the failure, or "superseded". */
static const char *prepare(struct target *target) {
  char path[4096];
  struct target latest;
  say_progress(target, "accepted", "");
  drop_leftovers(target);
  for (int i = 0; i < target->count; i++) {
    struct component *one = &target->components[i];
    if (has_checksum(path_of(path, "", one->name), one->sha256)) continue;
    const char *code = fetch(target, one, path_of(path, "", one->download));
    if (code && strcmp(code, "superseded") == 0) return code;
    if (code) return say_failed(target, code, "The download failed.");
  }
  say_progress(target, "verifying", "");
  if (!read_target(&latest)) return say_failed(target, "network", "The target could not be read again.");
  if (latest.sequence != target->sequence) return "superseded";
  say_progress(target, "installing", "");
  return begin_trial(target) ? NULL : say_failed(target, "no_space", "The update could not be noted.");
}

/* NULL: nothing more to do. Otherwise the code of the failure. */
static const char *update(struct target *target) {
  char path[4096];
  int missing = 0, is_begun = resume_trial(target);
  for (int i = 0; i < target->count; i++) {
    struct component *one = &target->components[i];
    int is_there = has_checksum(path_of(path, "", one->name), one->sha256);
    one->differs = one->differs || !is_there;
    missing += !is_there;
  }
  if (missing == 0 && !is_begun) say_installed(target);
  if ((missing == 0 && !is_begun) || is_refused(target)) return NULL;
  const char *code = missing > 0 ? prepare(target) : NULL;
  if (code) return strcmp(code, "superseded") == 0 ? NULL : code;
  int is_installed = swap(target, 0);
  int is_confirmed = is_installed && is_working();
  if (!is_confirmed) {
    swap(target, 1);
    refuse(target);
  }
  end_trial();
  if (!is_confirmed)
    return say_failed(target, is_installed ? "self_test_failed" : "install_failed", "The old version was restored.");
  say_installed(target);
  say_progress(target, "done", "");
  return NULL;
}

/* ---- the connection ---- */

static void on_connect(struct mosquitto *to, void *unused, int code) {
  char topic[160];
  (void)unused;
  if (code != 0) return;
  snprintf(topic, sizeof topic, "d/%s/target", device);
  mosquitto_subscribe(to, NULL, topic, 1);
}

static void on_message(struct mosquitto *from, void *unused, const struct mosquitto_message *message) {
  (void)from, (void)unused;
  pthread_mutex_lock(&lock);
  free(received);
  received = strndup(message->payload ? message->payload : "", (size_t)message->payloadlen);
  is_new = 1;
  pthread_cond_signal(&news);
  pthread_mutex_unlock(&lock);
}

/* Waits for a target, or until it is time to retry the one that failed. */
static int next_target(struct target *target, long long failed, int retry_s) {
  struct timespec until;
  int is_over = 0, found;
  /* Not the wall clock, which may be set meanwhile. */
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += retry_s ? retry_s : 24 * 3600;
  pthread_mutex_lock(&lock);
  do {
    while (!is_new && !is_over) is_over = pthread_cond_timedwait(&news, &lock, &until) == ETIMEDOUT;
    is_new = 0;
    found = received ? parse(received, target) : 0;
    /* The platform sends the target on each connection, which must not shorten the pause after a failure. */
  } while (!is_over && retry_s && found == 1 && target->sequence == failed);
  pthread_mutex_unlock(&lock);
  if (found < 0) say_failed(target, "manifest_invalid", "This client cannot use one of the components.");
  return found == 1;
}

int main(int count, char **given) {
  static struct target target;
  /* The sequence of the target that failed last, and how often. */
  long long failed = -1;
  int failures = 0, mismatches = 0, retry_s = 0;
  key = getenv("MOORING_KEY");
  if (count != 6 || !key) {
    fprintf(stderr, "usage: MOORING_KEY=... %s <platform> <mqtt host> <mqtt port> <device id> <folder>\n", given[0]);
    return 2;
  }
  platform = given[1], device = given[4], folder = given[5];
  mkdir(folder, 0755);
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&news, &clock);
  srand((unsigned)time(NULL) ^ (unsigned)getpid());
  curl_global_init(CURL_GLOBAL_DEFAULT);
  mosquitto_lib_init();
  mqtt = mosquitto_new(device, true, NULL);
  mosquitto_username_pw_set(mqtt, device, key);
  mosquitto_connect_callback_set(mqtt, on_connect);
  mosquitto_message_callback_set(mqtt, on_message);
  mosquitto_reconnect_delay_set(mqtt, 2, 60, true);
  /* With "MOORING_CA", a file of certificates, the connection uses TLS. */
  if (getenv("MOORING_CA")) mosquitto_tls_set(mqtt, getenv("MOORING_CA"), NULL, NULL, NULL, NULL);
  mosquitto_connect_async(mqtt, given[2], atoi(given[3]), 60);
  mosquitto_loop_start(mqtt);
  for (;;) {
    if (!next_target(&target, failed, retry_s)) continue;
    if (target.sequence != failed) failures = mismatches = 0;
    const char *code = update(&target);
    failed = target.sequence;
    failures = code ? failures + 1 : 0;
    /* A file that is always wrong is not downloaded forever. */
    if (code && strcmp(code, "hash_mismatch") == 0 && ++mismatches == MISMATCHES_MAX) refuse(&target);
    /* A full disk rarely has room again soon. Otherwise doubles each time, with jitter, so that many devices do not
       retry at the same instant. */
    int is_full = code && strcmp(code, "no_space") == 0;
    int span = is_full || failures > 8 ? RETRY_MAX_S : RETRY_S << (failures ? failures - 1 : 0);
    retry_s = is_full ? span : code ? span / 2 + rand() % (span / 2 + 1) : 0;
  }
}
