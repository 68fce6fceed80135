import type { FastifyRequest } from 'fastify';
import type { AnyEndpoint, HomeRight } from '#contract/endpoint.ts';
import type { HomeRole } from '#contract/home.ts';
import type { TrafficKind } from '#contract/stats.ts';
import type { Db } from '#server/db/sql.ts';
import type { Session } from '#server/sessions/session.ts';
import type { Found, Ids } from './access.ts';
import type { Call } from './route.ts';

/** An end user, by a session in an app. */
export interface UserCaller {
  id: string;
  name: string;
  email: string | undefined;
  verified: boolean;
  sessionId: string;
  /** When the user last signed in or proved the password. */
  provedAt: Date;
}

/** The app whose API is called, with what its project allows. */
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
  /** True: owner, admin, member and guest; false: owner and members, who may all do the same. */
  hasRoles: boolean;
  /** Calls per second of one of its users, and of all apps of its project. */
  userCallRate: number;
  projectCallRate: number;
}

/** The key of a back end. */
export interface KeyCaller {
  id: string;
  name: string;
  projectId: string;
  orgId: string;
  /** Calls per second of all keys of its project. */
  projectCallRate: number;
}

/** Who makes a call; which of them it can be, its door says. */
export interface Callers {
  session?: Session | undefined;
  app?: CalledApp | undefined;
  endUser?: UserCaller | undefined;
  key?: KeyCaller | undefined;
}

/** What an end user is in the home that a call is about, now. */
export interface Membership {
  homeId: string;
  role: HomeRole;
  /** Of a guest, on the device the call is about; of one about the home, what the role has. */
  rights: readonly HomeRight[];
  isActive: boolean;
}

/** One of the APIs: who calls it, how they prove it and what they may, for the same pipeline behind it. */
export interface Door {
  /** As what its calls are counted in the traffic of a project. */
  traffic: TrafficKind;
  /** Who makes a call. Counts the call against the caller's rate limit, and refuses one who is not who they say. */
  callerOf(endpoint: AnyEndpoint, request: FastifyRequest, now: Date): Promise<Callers>;
  /**
   * Refuses a caller who has lost the session, token or key since the call began, or was suspended. Asks the database, where
   * `callerOf` may remember.
   */
  recheck(call: Call, db: Db): Promise<void>;
  /** Authorizes the caller and finds the row that the call is about. Called again with a lock, in a change's transaction. */
  authorize(call: Call, ids: Ids, look: { db: Db; lock: boolean }): Promise<Found | undefined>;
  /** Whose `Idempotency-Key` a call brings; undefined: nobody's, so it is ignored. */
  idempotencyOwner(callers: Callers): string | undefined;
}
