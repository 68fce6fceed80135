import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createClient } from '#contract/client.ts';
import { type Call, exits, Failed } from './command.ts';

interface Kept {
  url: string;
  token: string;
}

const file = () => join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'mooring/config.json');

/** Only its owner can read it. */
export function keep(kept: Kept): string {
  const path = file();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  // The mode above is only for a new file.
  chmodSync(path, 0o600);
  return path;
}

export function forget(): void {
  rmSync(file(), { force: true });
}

/**
 * The address and the token of the environment, else those of `mooring login`. A token that is kept is sent to the address
 * it is kept with and to no other.
 */
export function signedIn(): Kept {
  const kept = readKept();
  const url = addressOf(process.env.MOORING_URL || kept?.url);
  const token = process.env.MOORING_TOKEN || (kept && addressOf(kept.url) === url ? kept.token : undefined);
  if (!url) throw notSignedIn('The address is missing. Run `mooring login`, or set MOORING_URL.');
  if (!token)
    throw notSignedIn(`There is no access token for ${url}. Run \`mooring login\`, or set MOORING_TOKEN.`);
  return { url, token };
}

const notSignedIn = (message: string) => new Failed(exits.access, 'NO_LOGIN', message);

function readKept(): Kept | undefined {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as Kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Failed(exits.usage, 'USAGE', `${file()} cannot be read. Run \`mooring login\` again.`);
  }
}

/** As it is typed, without what it makes no difference to. */
export function addressOf(text: string | undefined): string {
  return (text ?? '').trim().replace(/\/+$/, '');
}

/** The typed client, and the requests beside it, as the developer of an access token. */
export function callerOf({ url, token }: Kept): Pick<Call, 'client' | 'url' | 'fetch'> {
  const byToken: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    headers.set('user-agent', 'mooring');
    return fetch(input, { ...init, headers });
  };
  return { url, fetch: byToken, client: createClient({ baseUrl: `${url}/api`, fetch: byToken }) };
}
