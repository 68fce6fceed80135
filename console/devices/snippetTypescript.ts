import type { SnippetFor } from './snippets.ts';

export function typescriptSnippet({ gateway, deviceId, apiKey }: SnippetFor): string {
  return `// The folder sdk/ of the Mooring repository: Node 24 or a browser, no packages
import { connectDevice } from './sdk/device.ts';

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
}
