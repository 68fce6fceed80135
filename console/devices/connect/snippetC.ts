import type { SnippetFor } from './snippets.ts';

export function cSnippet({ gateway, deviceId, apiKey }: SnippetFor): string {
  const { host, port, tls } = gateway.mqtt ?? { host: 'localhost', port: 1883, tls: false };
  return `/* apt install libmosquitto-dev; cc device.c -o device -lmosquitto && ./device */
#include <mosquitto.h>
#include <stdio.h>
#include <string.h>

#define DEVICE "${deviceId}"

static void say(struct mosquitto *m, const char *topic, const char *payload) {
  mosquitto_publish(m, NULL, topic, strlen(payload), payload, 1, false);
}

static void on_connect(struct mosquitto *m, void *data, int code) {
  mosquitto_subscribe(m, NULL, "d/" DEVICE "/#", 1);
  say(m, "d/" DEVICE "/state", "{\\"temperature\\":21.5}");
}

static void on_message(struct mosquitto *m, void *data, const struct mosquitto_message *got) {
  char id[64], topic[160];
  const char *payload = got->payload;
  printf("%s %.*s\\n", got->topic, got->payloadlen, payload);
  if (!strstr(got->topic, "/commands/") || sscanf(payload, "{\\"id\\":\\"%63[^\\"]", id) != 1) return;
  snprintf(topic, sizeof topic, "d/" DEVICE "/results/%s", id);
  say(m, topic, "{\\"ok\\":true}");
}

int main(void) {
  mosquitto_lib_init();
  /* The client id is the device id: after a power cut, the device takes over from its old connection. */
  struct mosquitto *m = mosquitto_new(DEVICE, true, NULL);
  mosquitto_username_pw_set(m, DEVICE, "${apiKey}");
${tls ? '  mosquitto_tls_set(m, NULL, "/etc/ssl/certs", NULL, NULL, NULL);\n' : ''}  mosquitto_connect_callback_set(m, on_connect);
  mosquitto_message_callback_set(m, on_message);
  mosquitto_connect(m, "${host}", ${port}, 60);
  return mosquitto_loop_forever(m, -1, 1);
}
`;
}
