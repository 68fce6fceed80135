import type { Endpoint } from '#contract/endpoint.ts';
import type { Reason } from '#contract/problem.ts';

/** True: the call changes something, and so needs the guard header. */
export const changes = ({ method }: Endpoint) => method !== 'GET';

/** True: `If-Match` with the revision last read keeps it from overwriting somebody else's change. */
export function takesIfMatch({ method, access, reasons }: Endpoint): boolean {
  const replaces = method === 'PATCH' || method === 'PUT' || method === 'DELETE';
  return replaces && (typeof access === 'object' || reasons.includes('STALE'));
}

/** True: sent again with the same `Idempotency-Key`, it answers as before. Keys belong to whoever is signed in. */
export const takesIdempotencyKey = ({ method, access }: Endpoint) => method === 'POST' && access !== 'public';

/** Everything a call can fail with: what it declares, then what follows from its kind. */
export function reasonsOf(endpoint: Endpoint): Reason[] {
  return [...new Set([...endpoint.reasons, ...byAccess(endpoint), ...byKind(endpoint), ...ofAll])];
}

/** An address that does not exist, and a server that cannot: any call. */
const ofAll: readonly Reason[] = [
  'MALFORMED',
  'INVALID_FIELDS',
  'UNKNOWN_FIELD',
  'ORIGIN_REFUSED',
  'TOO_MANY_REQUESTS',
  'DISABLED',
  'UNAVAILABLE',
];

function byAccess({ access, notForSudo, reauth }: Endpoint): Reason[] {
  if (access === 'public') return [];
  const found: Reason[] = ['NO_LOGIN', 'ACCOUNT_SUSPENDED', 'TOKEN_SCOPE'];
  if (notForSudo) found.push('NOT_IN_SUDO');
  if (reauth) found.push('REAUTH_REQUIRED');
  if (access === 'login') return found;
  if (access === 'self') return [...found, 'DEVELOPER_NOT_FOUND'];
  found.push('UNVERIFIED_ACCOUNT', 'TWO_FACTOR_REQUIRED');
  if (access === 'verified') return found;
  if (access.of === 'project') found.push('NOT_A_MEMBER');
  if (access.role !== 'viewer') found.push('ROLE_TOO_LOW');
  return found;
}

function byKind(endpoint: Endpoint): Reason[] {
  const found: Reason[] = [];
  if (endpoint.list) found.push('INVALID_RANGE');
  if (takesIfMatch(endpoint)) found.push('STALE');
  if (takesIdempotencyKey(endpoint)) found.push('IDEMPOTENCY_KEY_REUSED');
  if (changes(endpoint)) found.push('GUARD_MISSING', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  return found;
}
