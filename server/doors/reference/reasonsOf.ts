import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { Reason } from '#contract/problem.ts';
import type { Api } from './apis/api.ts';

/** True if the call changes something. */
export const changes = ({ method }: AnyEndpoint) => method !== 'GET';

/** True if `If-Match` with the last read revision prevents overwriting someone else's change. */
export function takesIfMatch({ method, access, reasons }: AnyEndpoint): boolean {
  const replaces = method === 'PATCH' || method === 'PUT' || method === 'DELETE';
  return replaces && (typeof access === 'object' || reasons.includes('STALE'));
}

/**
 * True if a repeated call with the same `Idempotency-Key` gets the same answer. Keys belong to the signed-in caller.
 */
export const takesIdempotencyKey = ({ method, access }: AnyEndpoint) =>
  method === 'POST' && access !== 'public';

/** All reasons that a call can fail with: its declared ones, then those that follow from its kind. */
export function reasonsOf(endpoint: AnyEndpoint, api: Api): Reason[] {
  const found = [...api.ownReasons(endpoint), ...api.reasonsByAccess(endpoint), ...byKind(endpoint, api)];
  return [...new Set([...found, ...ofAll])];
}

/** For any call: what is wrong with a request whatever it asks for, and errors of the server. */
const ofAll: readonly Reason[] = [
  'MALFORMED',
  'INVALID_FIELDS',
  'UNKNOWN_FIELD',
  'METHOD_NOT_ALLOWED',
  'URI_TOO_LONG',
  'HEADERS_TOO_LARGE',
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
