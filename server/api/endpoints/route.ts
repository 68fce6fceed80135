import type { CookieSerializeOptions } from '@fastify/cookie';
import type { z } from 'zod';
import type {
  Access,
  AnswerOf,
  AnyEndpoint,
  AppAccess,
  ListOptions,
  ParamsOf,
  Role,
} from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import type { Rows } from '#server/api/access/access.ts';
import type { Session } from '#server/api/sessions/session.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { RawAnswer } from './answer.ts';
import type { CalledApp, Callers, Membership, UserCaller } from './apiDoor.ts';

/** The requested page of a list. */
export interface PageAsked {
  limit: number;
  skip: number;
  sortBy: string;
  descending: boolean;
  search: string | undefined;
}

/** The subject of a call without a session, known only after its handler has looked it up. */
export interface About {
  orgId: string;
  developerId?: string;
  /** The end user, for calls of the app API without a session. */
  userId?: string;
  displayName?: string;
  /** Set if a support agent acts as this developer by a link, before the session exists. */
  bySudoer?: true;
  /** Also records it in the logs of their projects. */
  inProjects?: true;
  /** Details of a rejection that are only for the log, not for the caller. */
  fault?: string;
  fields?: Record<string, string>;
}

/** The row that the call's access found, of the type that its slice declares. */
type RowOf<A extends Access | AppAccess> = A extends { of: infer Noun }
  ? Noun extends keyof Rows
    ? Rows[Noun]
    : object
  : undefined;

/** The arguments of a handler. */
export interface Call<E extends AnyEndpoint = AnyEndpoint> extends Callers {
  endpoint: E;
  platform: Platform;
  session: Session | undefined;
  params: ParamsOf<E>;
  query: z.output<E['query']>;
  body: z.output<E['body']>;
  page: PageAsked;
  /** The revision from `If-Match`. */
  ifMatch: string | undefined;
  /** The `Idempotency-Key`, for endpoints with `ownIdempotency`. */
  idempotencyKey: string | undefined;
  /** The cursor from `Last-Event-ID`, where an event stream continues. */
  lastEventId: string | undefined;
  now: Date;
  from: {
    requestId: string;
    address: string;
    userAgent: string;
    cookies: Record<string, string | undefined>;
  };
  setCookie: (name: string, value: string, options: CookieSerializeOptions) => void;
  /** Sets response metadata besides the body. */
  setHeader: (name: string, value: string) => void;
  /** Runs `tell` after the commit of a change, so that notices are always true; skipped on failure. */
  afterCommit: (tell: () => void) => void;
  /** The transaction of a change; the pool for reads and in `prepare`. */
  db: Db;
  about?: About | undefined;
  /** The row that the call is about, if its access names one; locked while a change runs. */
  row: RowOf<E['access']>;
  /** What the audit entry compares the answer with: the row, unless a handler sets something else. */
  before?: object | undefined;
  /** What the audit entry of a POST shows instead of the answer, if the answer contains more than a log should. */
  after?: object | undefined;
  role?: Role | undefined;
  /** The end user's membership in the home of the row, for calls of the app API whose access names a right. */
  membership?: Membership | undefined;
  projectId?: string | undefined;
  /** The session, for calls whose access requires one. */
  readonly me: Session;
  /** The end user, for calls of the app API whose access requires one. */
  readonly user: UserCaller;
  /** The app, for calls of the app API. */
  readonly inApp: CalledApp;
}

export function makeCall(given: Omit<Call, 'db' | 'me' | 'user' | 'inApp' | 'afterCommit'>): Call {
  return {
    ...given,
    db: given.platform.db,
    afterCommit: () => {
      throw new Error('A read keeps nothing.');
    },
    get me() {
      if (!given.session) throw new Problem('NO_LOGIN');
      return given.session;
    },
    get user() {
      if (!given.endUser) throw new Problem('NO_USER_SESSION');
      return given.endUser;
    },
    get inApp() {
      if (!given.app) throw new Error('This is no call of the app API.');
      return given.app;
    },
  };
}

type Answer<E extends AnyEndpoint> = E['raw'] extends string
  ? RawAnswer
  : E['list'] extends ListOptions
    ? { items: AnswerOf<E>; total: number; totalIsLowerBound?: boolean }
    : AnswerOf<E> extends undefined
      ? // biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer returns nothing
        void
      : AnswerOf<E>;

export interface Route {
  endpoint: AnyEndpoint;
  prepare?: ((call: Call) => Promise<unknown>) | undefined;
  run: (call: Call, prepared: unknown) => Promise<unknown>;
}

/** Joins an endpoint of the contract to its handler. */
export function on<E extends AnyEndpoint>(endpoint: E, run: (call: Call<E>) => Promise<Answer<E>>): Route;
/** With `prepare`: work that must not hold a transaction open, or must persist even if the call fails. */
export function on<E extends AnyEndpoint, P>(
  endpoint: E,
  prepare: (call: Call<E>) => Promise<P>,
  run: (call: Call<E>, prepared: P) => Promise<Answer<E>>,
): Route;
export function on(endpoint: AnyEndpoint, first: unknown, second?: unknown): Route {
  return {
    endpoint,
    prepare: second ? (first as Route['prepare']) : undefined,
    run: (second ?? first) as Route['run'],
  };
}
