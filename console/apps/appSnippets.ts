import type { App } from '#contract/app.ts';
import { useOrigin } from './useOrigin.ts';

/** The address that an app calls, and the values that its code needs. */
export interface AppAddress {
  /** Ends with a slash: the paths of the reference follow. */
  url: string;
  origin: string;
  /** The app and its project, in the format that the SDK expects. */
  name: string;
  /** The same on lines that fit a narrow panel. */
  lines: readonly string[];
}

/** The address of an app, as apps reach it; undefined until it is known. */
export function useAppAddress({ id: appId, projectId }: App) {
  const { read, origin } = useOrigin();
  if (origin === undefined) return { read };
  const lines = [origin, `/app/v1/${appId}@`, `${projectId}/`];
  const address: AppAddress = { url: lines.join(''), lines, origin, name: `${appId}@${projectId}` };
  return { read, address };
}

export const appSnippets = {
  typescript: { label: 'TypeScript', text: typescriptSnippet },
  curl: { label: 'curl', text: curlSnippet },
} as const;

export type AppSnippet = keyof typeof appSnippets;

function typescriptSnippet({ origin, name }: AppAddress): string {
  return `// npm install ${origin}/sdk/mooring-app.tgz
import { createApp } from '@mooring/app';

const app = createApp({
  url: '${origin}',
  app: '${name}',
});

const email = 'ada@example.com';
const password = 'correct horse battery staple';

// Once for each user: register, then the code that came by e-mail.
await app.register({ email, password });
await app.verify({ email, code: '123456' });

await app.signIn(email, password);
const { id } = await app.createHome('Home');
const home = await app.openHome(id);
// The claim code comes with the device.
const device = await home.claim('K7MPQ2XW9R');

device.onChange(() => console.log(device.isConnected, device.reported));
// Changes the desired state: await device.set({ … }) with the properties of its class.
`;
}

function curlSnippet({ url }: AppAddress): string {
  return `APP=${url}

# What the app reads first
curl "\${APP}config"

# Register; the answer is 202, and a code comes by e-mail
curl "\${APP}users" -H 'Content-Type: application/json' \\
  -d '{"email":"ada@example.com","password":"correct horse battery staple"}'
curl "\${APP}verification" -H 'Content-Type: application/json' \\
  -d '{"email":"ada@example.com","code":"123456"}'

# Sign in, then list the homes with the access token of the answer
curl "\${APP}sessions" -H 'Content-Type: application/json' \\
  -d '{"email":"ada@example.com","password":"correct horse battery staple"}'
curl "\${APP}homes" -H "Authorization: Bearer $ACCESS_TOKEN"
`;
}
