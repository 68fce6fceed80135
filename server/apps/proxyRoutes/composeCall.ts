import { Problem } from '#contract/problem.ts';
import { isForwardable, restBelow } from '#rules/apps/proxyPaths.ts';
import type { Platform } from '#server/infra/platform.ts';
import { keptHeaders } from './forward/requestHeaders.ts';
import { contentDigest, type Signer, signMessage } from './forward/signMessage.ts';
import type { Matched } from './knownRoutes.ts';
import type { Subject } from './matchRoutes.ts';

export interface Given {
  method: string;
  /** The path after `appProxy`, and the query string with its question mark. */
  path: string;
  query: string;
  /** Alternating names and values, as the app sent them. */
  rawHeaders: readonly string[];
  isUpgrade: boolean;
  /** The body, unless it is streamed. */
  body?: Buffer | undefined;
  /** The length of a streamed body. */
  contentLength?: string | undefined;
  address: string;
}

/** The facts that the platform asserts about a call. */
export interface Facts {
  projectId: string;
  userId: string;
  requestId: string;
  subject: Subject;
}

export interface Composed {
  url: string;
  /** The path of the URL, with its query string. */
  path: string;
  headers: string[];
  /** Names of headers from the app that are not forwarded. */
  dropped: string[];
}

/** Splits the path after `appProxy`. Throws if the back end could interpret the path differently than we do. */
export function splitPath(rest: string): { path: string; query: string } {
  const at = rest.indexOf('?');
  const [path, query] = at < 0 ? [rest, ''] : [rest.slice(0, at), rest.slice(at)];
  if (!isForwardable(path) || /[^!-~]|#/.test(query)) throw new Problem('PROXY_PATH_REFUSED');
  return { path, query };
}

/**
 * The request to the back end. Concatenates strings, because `new URL` would parse a path that begins with `//` as a
 * host.
 */
export function composeCall(
  route: Pick<Matched, 'sourcePath' | 'targetUrl'>,
  given: Given,
  facts: Facts,
  { signers, via, now }: { signers: readonly Signer[]; via: string; now: Date },
): Composed {
  const { origin, pathname } = partsOf(route.targetUrl);
  const rest = restBelow(route.sourcePath, given.path) ?? '';
  const path = `${`${pathname}${rest}` || '/'}${given.query}`;
  const url = `${origin}${path}`;
  const { kept, dropped, via: passed } = keptHeaders(given.rawHeaders, { isUpgrade: given.isUpgrade });
  if (passed.length > 0 && passed.some(value => value.includes(via))) throw new Problem('PROXY_LOOP');
  const signed = factHeaders(facts);
  if (given.body) signed.push(['content-digest', contentDigest(given.body)]);
  // `kept` is a new array, so more headers can be appended to it.
  kept.push('via', [...passed, `1.1 ${via}`].join(', '), 'x-forwarded-for', given.address);
  const length = given.body ? String(given.body.length) : given.contentLength;
  if (length !== undefined) kept.push('content-length', length);
  for (const [name, value] of signed) kept.push(name, value);
  if (signers.length > 0)
    for (const [name, value] of signMessage({ method: given.method, url, headers: signed }, signers, now))
      kept.push(name, value);
  return { url, path, headers: kept, dropped };
}

function partsOf(targetUrl: string): { origin: string; pathname: string } {
  const at = targetUrl.indexOf('/', targetUrl.indexOf('//') + 2);
  return at < 0
    ? { origin: targetUrl, pathname: '' }
    : { origin: targetUrl.slice(0, at), pathname: targetUrl.slice(at) };
}

function factHeaders({ projectId, userId, requestId, subject }: Facts): [string, string][] {
  const { homeId, deviceId, entityId, role } = subject;
  const facts: [string, string][] = [
    ['x-mooring-project', projectId],
    ['x-mooring-user', userId],
  ];
  if (homeId !== undefined) facts.push(['x-mooring-home', homeId]);
  if (deviceId !== undefined) facts.push(['x-mooring-device', deviceId]);
  if (entityId !== undefined) facts.push(['x-mooring-entity', entityId]);
  if (role !== undefined) facts.push(['x-mooring-role', role]);
  facts.push(['x-mooring-request', requestId]);
  return facts;
}

const names = new WeakMap<object, string>();

/** The name of this installation in `Via`; calls may pass through other installations, which have other names. */
export function viaOf({ sealing }: Pick<Platform, 'sealing'>): string {
  const name = names.get(sealing) ?? `mooring-${sealing.mac('via').toString('hex').slice(0, 12)}`;
  names.set(sealing, name);
  return name;
}
