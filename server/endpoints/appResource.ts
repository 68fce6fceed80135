import type { Reason } from '#contract/problem.ts';
import type { Db } from '#server/db/sql.ts';
import type { Ids, Rows } from './access.ts';
import type { Membership, UserCaller } from './apiDoor.ts';

/** Which end user asks, in which project, and whether the row is to be locked for a change. */
export interface AppLook {
  projectId: string;
  user: UserCaller;
  /** False: owner and members, who may all do the same. */
  hasRoles: boolean;
  lock: boolean;
  now: Date;
}

/** How the server finds a row for an end user, with what the user is in its home. Not found: nor is it for the user. */
export interface AppResource<Row extends object = object> {
  notFound: Reason;
  find(db: Db, ids: Ids, look: AppLook): Promise<{ row: Row; membership: Membership } | undefined>;
}

/** Resources of the app API by noun; each slice registers its own. */
export type AppResources = { [N in keyof Rows]?: AppResource<Rows[N]> };
