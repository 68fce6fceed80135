import { z } from 'zod';
import type { Reason } from './problem.ts';

/** The role of a team member, weakest first. */
export const roles = ['viewer', 'developer', 'owner'] as const;
export type Role = (typeof roles)[number];

/**
 * Who can call. `public`: anyone. `login`: any session. `verified`: a session with a verified e-mail address.
 * `self`: the developer named in the path. Otherwise a member, with that role or more, of the project that owns the
 * row; `of` is the row's noun, and the slice that has it as a resource finds it.
 */
export type Access = 'public' | 'login' | 'verified' | 'self' | { role: Role; of: string };

/** What a member of a home may do there. A user without any right cannot see the home. */
export const homeRights = ['view', 'control', 'configure', 'invite', 'own'] as const;
export type HomeRight = (typeof homeRights)[number];

/** Who can call the app API. `public`: anyone. `user`: a signed-in end user. Otherwise a user with that right in the home that owns the row. */
export type AppAccess = 'public' | 'user' | { right: HomeRight; of: string };

/** What the key of a back end can be allowed to do; each has its own flag. */
export const capabilities = [
  'canSendCommands',
  'canSendEvents',
  'canHandleBYOU',
  'canUpdateKVStores',
  'canAdmin',
] as const;
export type Capability = (typeof capabilities)[number];

export const tokenScopes = ['read', 'firmware', 'all'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** The scope of an access token that a call needs, besides `all`; `any`: every token; `none`: it requires a session. */
export type NeededScope = TokenScope | 'any' | 'none';

/** The calls that the access tokens of each scope can make. */
const callable: Record<TokenScope, readonly NeededScope[]> = {
  read: ['any', 'read'],
  // A pipeline has no business with users, events or logs, and its token is easily leaked.
  firmware: ['any', 'firmware'],
  all: ['any', 'read', 'firmware', 'all'],
};

export const allowsCall = (scope: TokenScope, { tokenScope }: Pick<AnyEndpoint, 'tokenScope'>): boolean =>
  callable[scope].includes(tokenScope);

type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
export type PathParams<Path extends string> = { [N in Names<Path>]: string };

interface Parts extends AnyParts {
  access: Access;
}

interface AnyParts {
  params: unknown;
  access: Access | AppAccess;
  query: z.ZodType;
  body: z.ZodType;
  answer: z.ZodType;
  list: ListOptions | undefined;
  raw: Raw | undefined;
}

/** An answer that is not JSON. */
type Raw = 'event stream' | 'download' | 'redirect';

/**
 * One call of an API. Routing, access, validation, audit and reference are derived from this object. Without a type
 * parameter, it is a call of the developer API.
 */
export interface Endpoint<P extends AnyParts = Parts> {
  readonly name: string;
  /** Its position in the reference, because the exports of a module are sorted alphabetically. */
  readonly order: number;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** One sentence for the reference. */
  readonly summary: string;
  readonly access: P['access'];
  readonly query: P['query'];
  readonly body: P['body'];
  readonly answer: P['answer'];
  /** Set on lists: the fields `sortBy` accepts, and the default order. */
  readonly list: P['list'];
  /** The errors it can return beyond those every call can. */
  readonly reasons: readonly Reason[];
  /**
   * The sentence of the audit log entry, with `{field}` placeholders. Absent on reads, except reads of secrets;
   * null where a POST changes nothing.
   */
  readonly audit: string | null | undefined;
  /**
   * The cached reads that the call invalidates besides those of its path's own noun, by words in their paths:
   * `['stats', 'deviceClasses']`. For `devices`, a call at one device's path invalidates only that device.
   */
  readonly makesOld: readonly string[] | undefined;
  /** True: rejected calls are audited as well (sign-ins, guesses). */
  readonly auditRefusals: boolean;
  /** A rate limit per address, in addition to the general one. */
  readonly limit: { readonly count: number; readonly windowS: number } | undefined;
  /** The answer takes at least this long, because its timing would otherwise reveal whether an account exists. */
  readonly answersAfterMs: number | undefined;
  readonly tokenScope: NeededScope;
  /** The capability a key needs to make the call over the service API; undefined: no key may. */
  readonly capability: Capability | undefined;
  /** True: only keys may make the call, so it is not part of the developer API. */
  readonly keysOnly: boolean;
  /** True: its handler has its own way of answering a repeated `Idempotency-Key`. */
  readonly ownIdempotency: boolean;
  /** True: always answers 202, because the outcome would reveal whether an account exists. */
  readonly accepted: boolean;
  /** True: rejected in a support session. */
  readonly notForSudo: boolean;
  /** True: the caller must confirm the password again if the last confirmation is too old. */
  readonly reauth: boolean;
  /** What `If-Match` is compared with: the row found by the path, or a part of it that the handler compares. */
  readonly ifMatch: 'row' | 'part';
  /** True: the body is form-encoded. */
  readonly form: boolean;
  /** The content type, if the answer is not JSON. */
  readonly raw: P['raw'];
  /** Phantom: carries the types of the path parameters. */
  readonly params?: P['params'];
}

/** One call of any of the APIs. */
export type AnyEndpoint = Endpoint<AnyParts>;
/** One call of the app API. Its path follows `/app/v1/{appId}@{projectId}`. */
export type AppEndpoint = Endpoint<AnyParts & { access: AppAccess }>;

export interface ListOptions {
  readonly sortBy: readonly string[];
  readonly default: string;
  /**
   * True: short enough to be read at once. Without `limit`, all rows are returned, and the client returns an array
   * instead of a page.
   */
  readonly whole?: true;
}

interface Given<C, Q, B, A, L, R> {
  summary: string;
  access: C;
  query?: Q;
  body?: B;
  answer?: A;
  list?: L;
  reasons?: readonly Reason[];
  audit?: string | null;
  makesOld?: readonly string[];
  auditRefusals?: true;
  limit?: { count: number; windowS: number };
  answersAfterMs?: number;
  tokenScope?: NeededScope;
  capability?: Capability;
  keysOnly?: true;
  ownIdempotency?: true;
  accepted?: true;
  notForSudo?: true;
  reauth?: true;
  ifMatch?: 'part';
  form?: true;
  raw?: R;
}

type Nothing = z.ZodObject<Record<never, never>, z.core.$strict>;
const nothing: Nothing = z.strictObject({});
/** The answer of a call that returns nothing: 204. */
export const noAnswer = z.undefined();

let declared = 0;

/** Declares one call: `endpoint('editProject', 'PATCH /projects/:projectId', { … })`. */
export function endpoint<
  Method extends Endpoint['method'],
  Path extends string,
  const C extends Access | AppAccess,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
  A extends z.ZodType = typeof noAnswer,
  L extends ListOptions | undefined = undefined,
  R extends Raw | undefined = undefined,
>(
  name: string,
  route: `${Method} ${Path}`,
  given: Given<C, Q, B, A, L, R>,
): Endpoint<{ params: PathParams<Path>; access: C; query: Q; body: B; answer: A; list: L; raw: R }> {
  const [method, path] = route.split(' ') as [Method, Path];
  return {
    name,
    order: declared++,
    method,
    path,
    summary: given.summary,
    access: given.access,
    query: given.query ?? (nothing as unknown as Q),
    body: given.body ?? (nothing as unknown as B),
    answer: given.answer ?? (noAnswer as unknown as A),
    list: given.list as L,
    reasons: given.reasons ?? [],
    audit: given.audit,
    makesOld: given.makesOld,
    auditRefusals: given.auditRefusals ?? false,
    limit: given.limit,
    answersAfterMs: given.answersAfterMs,
    tokenScope: given.tokenScope ?? tokenScopeFor(method, path, given),
    capability: given.capability,
    keysOnly: given.keysOnly ?? false,
    ownIdempotency: given.ownIdempotency ?? false,
    accepted: given.accepted ?? false,
    notForSudo: given.notForSudo ?? false,
    reauth: given.reauth ?? false,
    ifMatch: given.ifMatch ?? 'row',
    form: given.form ?? false,
    raw: given.raw as R,
  };
}

const firmwarePaths = /^\/(components|componentVersions|bundles|channels|rollouts)\b/;

/**
 * The default scope of an endpoint. Reads that viewers may make need the weakest scope, except reads of secrets, which
 * are those with an audit entry; so do viewers' other calls that leave no entry, because they change nothing. Those of
 * firmware are for pipelines as well. Calls about an account or only for owners require a session.
 */
function tokenScopeFor(
  method: Endpoint['method'],
  path: string,
  { access, audit }: { access: Access | AppAccess; audit?: string | null },
): Endpoint['tokenScope'] {
  const reads = method === 'GET' && audit === undefined;
  // Access tokens belong to developers, so they never reach the app API.
  if (access === 'user' || (typeof access === 'object' && 'right' in access)) return 'none';
  if (access === 'login' || access === 'self') return 'none';
  if (access === 'public' || access === 'verified') return reads ? 'any' : 'none';
  if (access.role === 'owner') return 'none';
  if (access.role !== 'viewer' || !(reads || audit === null)) return 'all';
  return firmwarePaths.test(path) ? 'any' : 'read';
}

export type ParamsOf<E extends AnyEndpoint> = NonNullable<E['params']>;
export type QueryOf<E extends AnyEndpoint> = z.input<E['query']>;
export type BodyOf<E extends AnyEndpoint> = z.input<E['body']>;
export type AnswerOf<E extends AnyEndpoint> = z.output<E['answer']>;
