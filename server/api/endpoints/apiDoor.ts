import type { FastifyRequest } from 'fastify';
import type { AnyEndpoint, HomeRight } from '#contract/endpoint.ts';
import type { HomeRole } from '#contract/home.ts';
import type { TrafficKind } from '#contract/stats.ts';
import type { Found, Ids } from '#server/api/access/access.ts';
import type { Session } from '#server/api/sessions/session.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Call } from './route.ts';

/** An end user, identified by a session in an app. */
export interface UserCaller {
  id: string;
  name: string;
  email: string | undefined;
  verified: boolean;
  sessionId: string;
  /** When the user last signed in or proved the password. */
  provedAt: Date;
}

/** The app whose API is called, with the relevant settings of its project. */
export interface CalledApp {
  id: string;
  projectId: string;
  orgId: string;
  projectName: string;
  userSessionsTtlS: number;
  /** Sorted; `*` alone means all. */
  subscribedEvents: readonly string[];
  redirects: readonly string[];
  userAccountMode: 'email' | 'external';
  restrictUserReg: boolean;
  restrictHomeCreation: boolean;
  restrictPasswordLogin: boolean;
  onDemandProvisioning: boolean;
  deactivateNewHomes: boolean;
  /** True: owner, admin, member and guest. False: owner and members, who all have the same rights. */
  hasRoles: boolean;
  /** Calls per second of one user of the app, and of all apps of its project. */
  userCallRate: number;
  projectCallRate: number;
}

/** The API key of a back end. */
export interface KeyCaller {
  id: string;
  name: string;
  projectId: string;
  orgId: string;
  /** Calls per second of all keys of the project. */
  projectCallRate: number;
}

/** Who makes a call; the door determines which kinds are possible. */
export interface Callers {
  session?: Session | undefined;
  app?: CalledApp | undefined;
  endUser?: UserCaller | undefined;
  key?: KeyCaller | undefined;
}

/** The current membership of an end user in the home that a call is about. */
export interface Membership {
  homeId: string;
  role: HomeRole;
  /** For a guest, the rights on the device the call is about. For a call about the home, the rights of the role. */
  rights: readonly HomeRight[];
  isActive: boolean;
}

/** One of the APIs: its callers, how they authenticate, and what they may do. The pipeline behind it is the same. */
export interface Door {
  /** The kind as which its calls are counted in the traffic of a project. */
  traffic: TrafficKind;
  /** Authenticates the caller, or rejects the call. Counts the call against the caller's rate limit. */
  callerOf(endpoint: AnyEndpoint, request: FastifyRequest, now: Date): Promise<Callers>;
  /**
   * Rejects a caller who has lost the session, token or key since the call began, or was suspended. Always queries the
   * database, while `callerOf` may use a cache.
   */
  recheck(call: Call, db: Db): Promise<void>;
  /** Authorizes the caller and finds the row of the call. Called again with a lock in the transaction of a change. */
  authorize(call: Call, ids: Ids, look: { db: Db; lock: boolean }): Promise<Found | undefined>;
  /** The owner of the `Idempotency-Key` of a call; undefined: the key has no owner and is ignored. */
  idempotencyOwner(callers: Callers): string | undefined;
}
