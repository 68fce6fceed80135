import { networkInterfaces } from 'node:os';
import { isPublic, type PrivateTargets } from './addresses.ts';
import { refused } from './faults.ts';
import { portOf } from './ports.ts';
import type { Resolve } from './resolve.ts';

/** A URL that may be called, with the IP addresses it may be called at. */
export interface Target {
  url: URL;
  host: string;
  addresses: readonly string[];
}

export interface Rules {
  allowed: PrivateTargets;
  resolve: Resolve;
  /** URLs of this platform itself: nobody may make it call itself. */
  own: () => readonly string[];
}

const lengthMax = 2000;
/**
 * The same message for names that do not exist, that resolve to private addresses, or to both: callers must not learn
 * which names exist in the operator's network.
 */
const notPublic = 'Its host must exist and resolve to public addresses only.';

/** Parses a URL, resolves its name, and checks all its addresses. Throws ADDRESS_REFUSED. */
export async function checkTarget(address: string, rules: Rules, signal: AbortSignal): Promise<Target> {
  const url = readUrl(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const listed = rules.allowed.hasName(host);
  const addresses = await rules.resolve(host, { listed, signal });
  const isAllowed = (one: string) => listed || rules.allowed.hasAddress(one);
  if (addresses.length === 0 || !addresses.every(one => isPublic(one) || isAllowed(one)))
    throw refused(notPublic);
  if (url.protocol !== 'https:' && !addresses.every(isAllowed)) throw refused('It must start with https://.');
  if (isOwn(url, addresses, rules.own())) throw refused('It points back to this platform.');
  return { url, host, addresses };
}

/** Checks that need no lookup. */
function readUrl(address: string): URL {
  if (address.length > lengthMax) throw refused(`It is longer than ${lengthMax} characters.`);
  // Programs interpret these characters differently, which can be used to bypass a check.
  if (/[\s\p{Cc}\\]/u.test(address))
    throw refused('It must not contain spaces, control characters or backslashes.');
  if (!/^https?:\/\/[^/?#]/i.test(address)) throw refused('It must start with https://.');
  if (/^[^/]*\/\/[^/?#]*@/.test(address)) throw refused('It must not contain a user name or password.');
  if (address.includes('#')) throw refused('It must not contain a #.');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) throw refused('It is not an address such as https://login.example.com.');
  if (portOf(url) === undefined) throw refused('This port is not allowed.');
  return url;
}

/**
 * Whether a URL is one of our own, under any name: a request that we send to ourselves would seem to come from inside.
 */
function isOwn(url: URL, addresses: readonly string[], own: readonly string[]): boolean {
  const here = addresses.some(isHere);
  const inside = !addresses.every(isPublic);
  return own.some(origin => {
    const door = new URL(origin);
    return portOf(door) === portOf(url) && (here || (inside && door.hostname === url.hostname));
  });
}

function isHere(address: string): boolean {
  if (/^(127\.|0\.|::1?$|::ffff:)/.test(address)) return true;
  return Object.values(networkInterfaces()).some(list => list?.some(one => one.address === address));
}
