import type { SnippetFor } from './snippets.ts';

export function mosquittoSnippet(given: SnippetFor): string {
  const { deviceId } = given;
  const login = loginOf(given, deviceId, given.apiKey);
  return `# apt install mosquitto-clients
# Report a state, then an event
mosquitto_pub ${login} \\
  -i ${deviceId}-pub -q 1 -t d/${deviceId}/state -m '{"temperature":21.5}'
mosquitto_pub ${login} \\
  -i ${deviceId}-pub -q 1 -t d/${deviceId}/events/door -m '{"open":true}'

# Stay connected and listen for the desired state and commands
mosquitto_sub ${login} \\
  -i ${deviceId} -q 1 -v -t 'd/${deviceId}/#'
`;
}

/** A device in twenty lines of shell: it uses everything a device can send, and answers what it receives. */
export function everyMosquittoSnippet(given: SnippetFor): string {
  return `DEVICE=${given.deviceId}
KEY=${given.apiKey}

# The listener has the device id as client id, so that it takes over from its old connection after a power cut.
# What publishes beside it needs another.
say() {
  mosquitto_pub ${loginOf(given, '"$DEVICE"', '"$KEY"')} \\
    -i "$DEVICE-pub" -q "\${3:-1}" -t "d/$DEVICE/$1" -m "$2"
}

say state '{"temperature":21.5}'
say events/door '{"open":true,"_alert":{"severity":"warning","text":"The door is open."}}'
say entities '[{"name":"lamp-1","class":"lamp","state":{"on":true}}]'
say installed '{"components":[{"component":"main","version":"1.2.0"}]}'
say progress '{"state":"downloading","percent":40,"component":"main"}'
# The live log is not stored, so QoS 0 is enough
say log '{"level":2,"text":"wifi: connected"}' 0

# Listen for the desired state, delta, config, firmware target, commands and log requests
mosquitto_sub ${loginOf(given, '"$DEVICE"', '"$KEY"')} \\
  -i "$DEVICE" -q 1 -F '%t %p' -t "d/$DEVICE/#" |
while read -r topic payload; do
  echo "$topic $payload"
  field() { printf %s "$payload" | grep -o "\\"$1\\":\\"[^\\"]*" | head -1 | cut -d'"' -f4; }
  case $topic in
    */commands/*) say "results/$(field id)" '{"ok":true}' ;;
    */logRequests/*)
      printf '{"ts":"%s","level":2,"text":"wifi: connected"}\\n' "$(date -u +%FT%TZ)" |
        curl -sS -T - "$(field uploadUrl)" ;;
  esac
done
`;
}

function loginOf({ gateway }: SnippetFor, user: string, key: string): string {
  const { host, port, tls } = gateway.mqtt ?? { host: 'localhost', port: 1883, tls: false };
  return `-h ${host} -p ${port}${tls ? ' --capath /etc/ssl/certs' : ''} \\\n  -u ${user} -P ${key}`;
}
