import type { Gateway } from '#contract/gateway.ts';

/** `needsMqtt`: on TCP, which not every platform has open. */
export const snippets = [
  { kind: 'mosquitto', label: 'mosquitto', needsMqtt: true },
  { kind: 'curl', label: 'curl', needsMqtt: false },
  { kind: 'typescript', label: 'TypeScript', needsMqtt: false },
  { kind: 'python', label: 'Python', needsMqtt: true },
  { kind: 'c', label: 'C', needsMqtt: true },
] as const;
export type SnippetKind = (typeof snippets)[number]['kind'];

export interface SnippetFor {
  gateway: Gateway;
  deviceId: string;
  apiKey: string;
}

/** Lines that connect this device, report something and listen; ready to be run. */
export function snippetOf(kind: SnippetKind, given: SnippetFor): string {
  return writers[kind](given);
}

const mqttOf = ({ gateway }: SnippetFor) => gateway.mqtt ?? { host: 'localhost', port: 1883, tls: false };
const tlsFlag = (given: SnippetFor) => (mqttOf(given).tls ? ' --capath /etc/ssl/certs' : '');

const writers: Record<SnippetKind, (given: SnippetFor) => string> = {
  mosquitto(given) {
    const { deviceId, apiKey } = given;
    const { host, port } = mqttOf(given);
    const login = `-h ${host} -p ${port}${tlsFlag(given)} \\\n  -u ${deviceId} -P ${apiKey}`;
    return `# Listen: what is desired, and commands
mosquitto_sub ${login} \\
  -q 1 -v -t 'd/${deviceId}/#'

# Report a state, then an event
mosquitto_pub ${login} \\
  -q 1 -t d/${deviceId}/state -m '{"temperature":21.5}'
mosquitto_pub ${login} \\
  -q 1 -t d/${deviceId}/events/door -m '{"open":true}'
`;
  },

  curl({ gateway, deviceId, apiKey }) {
    const login = `-u ${deviceId}:${apiKey}`;
    const json = `-H 'Content-Type: application/json'`;
    return `# Report a state, then an event
curl ${login} ${json} \\
  -d '{"temperature":21.5}' ${gateway.httpUrl}/state
curl ${login} ${json} \\
  -d '{"open":true}' ${gateway.httpUrl}/events/door

# What is desired, then the next command (waits for one)
curl ${login} ${gateway.httpUrl}/desired
curl ${login} ${gateway.httpUrl}/commands
`;
  },

  typescript({ gateway, deviceId, apiKey }) {
    return `import { connectDevice } from '@mooring/device';

const device = connectDevice({
  url: '${gateway.websocketUrl}',
  deviceId: '${deviceId}',
  apiKey: '${apiKey}',
});

device.onStatus(status => console.log(status.state));
device.onDesired(({ state }) => console.log('desired', state));
device.onCommand('blink', async args => ({ blinked: args }));

await device.reportState({ temperature: 21.5 });
await device.sendEvent('door', { open: true });
`;
  },

  python(given) {
    const { deviceId, apiKey } = given;
    const { host, port, tls } = mqttOf(given);
    return `# pip install paho-mqtt
import json
import paho.mqtt.client as mqtt

DEVICE = "${deviceId}"

def on_connect(client, userdata, flags, reason, properties):
    client.subscribe([(f"d/{DEVICE}/desired", 1), (f"d/{DEVICE}/commands/+", 1)])
    client.publish(f"d/{DEVICE}/state", json.dumps({"temperature": 21.5}), qos=1)

def on_message(client, userdata, message):
    print(message.topic, message.payload.decode())
    if "/commands/" in message.topic:
        command = json.loads(message.payload)
        client.publish(f"d/{DEVICE}/results/{command['id']}", json.dumps({"ok": True}), qos=1)

client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
client.username_pw_set(DEVICE, "${apiKey}")
${tls ? 'client.tls_set()\n' : ''}client.on_connect = on_connect
client.on_message = on_message
client.connect("${host}", ${port}, keepalive=60)
client.loop_forever()
`;
  },

  c(given) {
    const { deviceId, apiKey } = given;
    const { host, port, tls } = mqttOf(given);
    return `/* cc device.c -lmosquitto */
#include <mosquitto.h>
#include <stdio.h>
#include <string.h>

#define DEVICE "${deviceId}"

static void on_connect(struct mosquitto *m, void *data, int code) {
  const char *state = "{\\"temperature\\":21.5}";
  mosquitto_subscribe(m, NULL, "d/" DEVICE "/commands/+", 1);
  mosquitto_publish(m, NULL, "d/" DEVICE "/state", strlen(state), state, 1, false);
}

static void on_message(struct mosquitto *m, void *data, const struct mosquitto_message *got) {
  printf("%s %.*s\\n", got->topic, got->payloadlen, (char *)got->payload);
}

int main(void) {
  mosquitto_lib_init();
  struct mosquitto *m = mosquitto_new(NULL, true, NULL);
  mosquitto_username_pw_set(m, DEVICE, "${apiKey}");
${tls ? '  mosquitto_tls_set(m, NULL, "/etc/ssl/certs", NULL, NULL, NULL);\n' : ''}  mosquitto_connect_callback_set(m, on_connect);
  mosquitto_message_callback_set(m, on_message);
  mosquitto_connect(m, "${host}", ${port}, 60);
  return mosquitto_loop_forever(m, -1, 1);
}
`;
  },
};
