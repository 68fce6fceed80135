import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { Reason } from '#contract/problem.ts';
import type { Api } from './apis/api.ts';

/** True: the call changes something. */
export const changes = ({ method }: AnyEndpoint) => method !== 'GET';

/** True: `If-Match` with the revision last read keeps it from overwriting somebody else's change. */
export function takesIfMatch({ method, access, reasons }: AnyEndpoint): boolean {
  const replaces = method === 'PATCH' || method === 'PUT' || method === 'DELETE';
  return replaces && (typeof access === 'object' || reasons.includes('STALE'));
}

/** True: sent again with the same `Idempotency-Key`, it answers as before. Keys belong to whoever is signed in. */
export const takesIdempotencyKey = ({ method, access }: AnyEndpoint) =>
  method === 'POST' && access !== 'public';

/** Everything a call can fail with: what it declares, then what follows from its kind. */
export function reasonsOf(endpoint: AnyEndpoint, api: Api): Reason[] {
  const found = [...api.ownReasons(endpoint), ...api.reasonsByAccess(endpoint), ...byKind(endpoint, api)];
  return [...new Set([...found, ...ofAll])];
}

/** An address that does not exist, and a server that cannot: any call. */
const ofAll: readonly Reason[] = [
  'MALFORMED',
  'INVALID_FIELDS',
  'UNKNOWN_FIELD',
  'TOO_MANY_REQUESTS',
  'DISABLED',
  'UNAVAILABLE',
];

function byKind(endpoint: AnyEndpoint, { hasGuard }: Api): Reason[] {
  const found: Reason[] = [];
  if (endpoint.list) found.push('INVALID_RANGE');
  if (takesIfMatch(endpoint)) found.push('STALE');
  if (takesIdempotencyKey(endpoint)) found.push('IDEMPOTENCY_KEY_REUSED');
  if (changes(endpoint) && hasGuard) found.push('GUARD_MISSING');
  if (changes(endpoint)) found.push('TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  return found;
}
