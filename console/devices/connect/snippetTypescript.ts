import type { SnippetFor } from './snippets.ts';

export function typescriptSnippet({ gateway, deviceId, apiKey }: SnippetFor): string {
  const { origin } = new URL(gateway.httpUrl);
  return `// npm install ${origin}/sdk/mooring-device.tgz
// Save this as device.mjs (or .ts) and run it: node device.mjs. Node 22 or later, or a browser.
import { connectDevice } from '@mooring/device';

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
