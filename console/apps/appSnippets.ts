import type { App } from '#contract/app.ts';
import { useOrigin } from './useOrigin.ts';

/** Where the app calls this platform, and what its code is made of. */
export interface AppAddress {
  /** With a slash at its end: the paths of the reference follow. */
  url: string;
  /** The same on lines that fit a narrow panel. */
  lines: readonly string[];
}

/** The address of an app, as apps reach it; undefined until it is known. */
export function useAppAddress({ id: appId, projectId }: App) {
  const { read, origin } = useOrigin();
  if (origin === undefined) return { read };
  const lines = [origin, `/app/v1/${appId}@`, `${projectId}/`];
  const address: AppAddress = { url: lines.join(''), lines };
  return { read, address };
}

export const appSnippets = {
  typescript: { label: 'TypeScript', text: typescriptSnippet },
  curl: { label: 'curl', text: curlSnippet },
} as const;

export type AppSnippet = keyof typeof appSnippets;

function typescriptSnippet({ url }: AppAddress): string {
  return `const app = '${url}';

async function post(path: string, body: object) {
  const answer = await fetch(app + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error((await answer.json()).reason);
  return answer.status === 202 ? undefined : answer.json();
}

// Once for each user: register, then the code that came by e-mail.
await post('users', { email, password });
await post('verification', { email, code });

const { accessToken } = await post('sessions', { email, password });
const homes = await fetch(app + 'homes', {
  headers: { Authorization: \`Bearer \${accessToken}\` },
}).then(answer => answer.json());
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
