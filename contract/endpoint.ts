import { z } from 'zod';
import type { Reason } from './problem.ts';

/** What a team member may do, weakest first. */
export const roles = ['viewer', 'developer', 'owner'] as const;
export type Role = (typeof roles)[number];

/**
 * Who may call. `public`: anyone. `login`: any session. `verified`: a session whose e-mail is proven.
 * `self`: the developer named in the path. Else a member, with that role or more, of the project that owns the row; `of`
 * is the row's noun, and the slice that has it as a resource finds it.
 */
export type Access = 'public' | 'login' | 'verified' | 'self' | { role: Role; of: string };

type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
export type PathParams<Path extends string> = { [N in Names<Path>]: string };

interface Parts {
  params: unknown;
  access: Access;
  query: z.ZodType;
  body: z.ZodType;
  answer: z.ZodType;
  list: ListOptions | undefined;
  raw: Raw | undefined;
}

/** An answer that is no JSON. */
type Raw = 'event stream' | 'download' | 'redirect';

/** One call of the developer API. Everything else about it is derived from this object. */
export interface Endpoint<P extends Parts = Parts> {
  readonly name: string;
  /** Its place in the reference: a module's own list of its exports is alphabetical. */
  readonly order: number;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** One sentence for the reference. */
  readonly summary: string;
  readonly access: P['access'];
  readonly query: P['query'];
  readonly body: P['body'];
  readonly answer: P['answer'];
  /** Set on lists: the fields that `sortBy` takes and the order when it is absent. */
  readonly list: P['list'];
  /** What it can fail with, beyond what every call can. */
  readonly reasons: readonly Reason[];
  /**
   * The audit entry's sentence, `{field}` filled in from what the call was about. Absent on reads, but for those of
   * secrets; null where a POST changes nothing.
   */
  readonly audit: string | null | undefined;
  /** True: a refusal is written to the audit log as well (logins, guesses). */
  readonly auditRefusals: boolean;
  /** A bound of its own beside the general rate limit, counted per address. */
  readonly limit: { readonly count: number; readonly windowS: number } | undefined;
  /** It answers no sooner than this, whatever it did: how long it took would tell whether there is an account. */
  readonly answersAfterMs: number | undefined;
  /** True: refused to a support session. */
  readonly notForSudo: boolean;
  /** True: asks for the password again when the last proof is old. */
  readonly reauth: boolean;
  /** What `If-Match` is compared with: the row that the path finds, or a part of it, which the handler compares. */
  readonly ifMatch: 'row' | 'part';
  /** True: the body is form-encoded. */
  readonly form: boolean;
  /** Set where the answer is no JSON: what it is. */
  readonly raw: P['raw'];
  /** Phantom: carries the types of the path's parameters. */
  readonly params?: P['params'];
}

export interface ListOptions {
  readonly sortBy: readonly string[];
  readonly default: string;
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
  auditRefusals?: true;
  limit?: { count: number; windowS: number };
  answersAfterMs?: number;
  notForSudo?: true;
  reauth?: true;
  ifMatch?: 'part';
  form?: true;
  raw?: R;
}

type Nothing = z.ZodObject<Record<never, never>, z.core.$strict>;
const nothing: Nothing = z.strictObject({});
/** The answer of a call that has nothing to say: 204. */
export const noAnswer = z.undefined();

let declared = 0;

/** Declares one call: `endpoint('editProject', 'PATCH /projects/:projectId', { … })`. */
export function endpoint<
  Method extends Endpoint['method'],
  Path extends string,
  const C extends Access,
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
    auditRefusals: given.auditRefusals ?? false,
    limit: given.limit,
    answersAfterMs: given.answersAfterMs,
    notForSudo: given.notForSudo ?? false,
    reauth: given.reauth ?? false,
    ifMatch: given.ifMatch ?? 'row',
    form: given.form ?? false,
    raw: given.raw as R,
  };
}

export type ParamsOf<E extends Endpoint> = NonNullable<E['params']>;
export type QueryOf<E extends Endpoint> = z.input<E['query']>;
export type BodyOf<E extends Endpoint> = z.input<E['body']>;
export type AnswerOf<E extends Endpoint> = z.output<E['answer']>;
