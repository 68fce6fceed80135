import { logIn, logInWithCode, logOut } from '#contract/account.ts';
import { type Client, createClient } from '#contract/client.ts';
import type { Options } from './options.ts';

/** Longer waits are not accepted; they follow too many wrong passwords. */
const waitMaxS = 10;

/** A signed-in developer, who checks the fleet on the platform. */
export interface Desk {
  client: Client;
  /** For files, which are not JSON. Paths begin with a slash. */
  fetch: (path: string) => Promise<Response>;
  /** Signs out. */
  leave: () => Promise<void>;
}

export async function signIn({ url, email, password, code }: Options): Promise<Desk | undefined> {
  if (!email || !password) return undefined;
  const send = patientBrowser();
  const client = createClient({ baseUrl: `${url}/api`, fetch: send });
  const answer = await client.call(logIn, { body: { orgId: 'default', email, password } });
  if ('auth2FToken' in answer) {
    if (!code) throw new Error('This account uses two-factor authentication. Pass the code as --code.');
    await client.call(logInWithCode, { body: { token: answer.auth2FToken, code } });
  }
  return {
    client,
    leave: () => client.call(logOut),
    fetch: path => send(`${url}/api${path}`, { headers: { 'x-console-guard': '1' } }),
  };
}

/**
 * A fetch that keeps cookies for the session, as a browser does, and that retries rate-limited calls after the given
 * time.
 */
function patientBrowser(): typeof fetch {
  const cookies = new Map<string, string>();
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('cookie', [...cookies].map(pair => pair.join('=')).join('; '));
    let response = await fetch(input, { ...init, headers });
    while (response.status === 429) {
      const waitS = Number(response.headers.get('retry-after') ?? 1);
      if (waitS > waitMaxS) break;
      await new Promise(resolve => setTimeout(resolve, waitS * 1000));
      response = await fetch(input, { ...init, headers });
    }
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
}
