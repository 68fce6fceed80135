import type { SnippetFor } from './snippets.ts';

export function curlSnippet({ gateway, deviceId, apiKey }: SnippetFor): string {
  const login = `-u ${deviceId}:${apiKey}`;
  const json = `-H 'Content-Type: application/json'`;
  return `# Report a state, then an event
curl ${login} ${json} \\
  -d '{"temperature":21.5}' ${gateway.httpUrl}/state
curl ${login} ${json} \\
  -d '{"open":true}' ${gateway.httpUrl}/events/door

# Read the desired state, then wait up to 25 s for the next command
curl ${login} ${gateway.httpUrl}/desired
curl ${login} ${gateway.httpUrl}/commands
`;
}

export function everyCurlSnippet({ gateway, deviceId, apiKey }: SnippetFor): string {
  return `DEVICE=${deviceId}
KEY=${apiKey}

say() {
  curl -sS -u "$DEVICE:$KEY" -H 'Content-Type: application/json' \\
    -d "$2" "${gateway.httpUrl}/$1"
}
ask() { curl -sS -u "$DEVICE:$KEY" "${gateway.httpUrl}/$1"; }

say state '{"temperature":21.5}'
say events/door '{"open":true,"_alert":{"severity":"warning","text":"The door is open."}}'
say entities '[{"name":"lamp-1","class":"lamp","state":{"on":true}}]'
say installed '{"components":[{"component":"main","version":"1.2.0"}]}'
say progress '{"state":"downloading","percent":40,"component":"main"}'

ask desired
ask config
ask target

# Fetch the next command, if there is one, and answer it
command=$(ask commands)
echo "$command"
id=$(printf %s "$command" | grep -o '"id":"[^"]*' | head -1 | cut -d'"' -f4)
[ -z "$id" ] || say "results/$id" '{"ok":true}'
`;
}
