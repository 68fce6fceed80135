import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createClient } from '#contract/client.ts';
import { type Call, exits, Failed } from './command.ts';

interface StoredSignIn {
  url: string;
  token: string;
}

const file = () => join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'mooring/config.json');

/** Stores the URL and token in a file that only its owner can read. */
export function storeSignIn(kept: StoredSignIn): string {
  const path = file();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  // The mode above only applies to a new file.
  chmodSync(path, 0o600);
  return path;
}

export function forget(): void {
  rmSync(file(), { force: true });
}

/**
 * URL and token from the environment, or else those of `mooring login`. A stored token is only sent to the URL it was
 * stored with.
 */
export function signedIn(): StoredSignIn {
  const kept = readStored();
  const url = addressOf(process.env.MOORING_URL || kept?.url);
  const token = process.env.MOORING_TOKEN || (kept && addressOf(kept.url) === url ? kept.token : undefined);
  if (!url) throw notSignedIn('The address is missing. Run `mooring login`, or set MOORING_URL.');
  if (!token)
    throw notSignedIn(`There is no access token for ${url}. Run \`mooring login\`, or set MOORING_TOKEN.`);
  return { url, token };
}

const notSignedIn = (message: string) => new Failed(exits.access, 'NO_LOGIN', message);

function readStored(): StoredSignIn | undefined {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as StoredSignIn;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Failed(exits.usage, 'USAGE', `${file()} cannot be read. Run \`mooring login\` again.`);
  }
}

/** Normalizes a URL as typed by a user. */
export function addressOf(text: string | undefined): string {
  return (text ?? '').trim().replace(/\/+$/, '');
}

/** The typed client and a plain fetch, both with the access token. */
export function callerOf({ url, token }: StoredSignIn): Pick<Call, 'client' | 'url' | 'fetch'> {
  const byToken: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    headers.set('user-agent', 'mooring');
    return fetch(input, { ...init, headers });
  };
  return { url, fetch: byToken, client: createClient({ baseUrl: `${url}/api`, fetch: byToken }) };
}
