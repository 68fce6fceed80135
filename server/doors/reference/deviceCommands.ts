import type { Topic } from '#contract/deviceProtocol.ts';
import type { Gateway } from '#contract/gateway.ts';
import { shellQuoted } from '#rules/shell/shellQuoted.ts';

const commandId = 'cmd_01k9x3m2h4e6d8b0a2c4e6g8j0';
const logRequestId = 'lrq_01k9x3m2h4e6d8b0a2c4e6g8j0';

/** Placeholders for values that differ from device to device. */
export const example = {
  deviceId: 'dev_01kag4m8y2e6tvp0rm7n4s9cqd',
  apiKey: 'q7Xo2LrT9bNc4VzK1sWd8GhJ5mPf3YaE',
};

/** Commands that send or receive a message in a terminal. */
export function deviceCommandsOf(topic: Topic, gateway: Gateway): { title: string; text: string }[] {
  return [
    ...(gateway.mqtt ? [{ title: 'mosquitto', text: mosquitto(topic, gateway.mqtt) }] : []),
    ...(topic.http ? [{ title: 'curl', text: curl(topic, gateway) }] : []),
  ];
}

function mosquitto(
  { way, pattern, lossy, example: payload }: Topic,
  mqtt: NonNullable<Gateway['mqtt']>,
): string {
  const login = `-h ${mqtt.host} -p ${mqtt.port}${mqtt.tls ? ' --capath /etc/ssl/certs' : ''} \\\n  -u ${example.deviceId} \\\n  -P ${example.apiKey}`;
  const topic = `d/${example.deviceId}/${filled(pattern)}`;
  return way === 'up'
    ? `mosquitto_pub ${login} \\\n  -i ${example.deviceId}-pub -q ${lossy ? 0 : 1} -t ${topic} \\\n  -m ${shellQuoted(JSON.stringify(payload))}`
    : `mosquitto_sub ${login} \\\n  -i ${example.deviceId} -q 1 -v -t '${`d/${example.deviceId}/${pattern.replace(/:\w+/g, '+')}`}'`;
}

function curl({ http, example: payload }: Topic, { httpUrl }: Gateway): string {
  const [method = '', path = ''] = (http ?? '').split(' ');
  const login = `\\\n  -u ${example.deviceId}:${example.apiKey}`;
  const url = `${httpUrl}/${filled(path)}`;
  if (method === 'GET') return `curl ${login} \\\n  ${url}`;
  return `curl ${login} -H 'Content-Type: application/json' \\\n  -d ${shellQuoted(JSON.stringify(payload))} \\\n  ${url}`;
}

const filled = (pattern: string) =>
  pattern
    .replace(':name', 'door')
    .replace(':id', pattern.startsWith('logRequests/') ? logRequestId : commandId);
