import type { Reason } from '#contract/problem.ts';
import type { Membership, UserCaller } from '#server/api/endpoints/apiDoor.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Ids, Rows } from './access.ts';

/** Which end user makes the call, in which project, and whether to lock the row for a change. */
export interface AppLook {
  projectId: string;
  user: UserCaller;
  /** False: owner and members, who all have the same rights. */
  hasRoles: boolean;
  lock: boolean;
  now: Date;
}

/** How the server finds a row and the user's membership in its home. Rows that the user may not see are not found. */
export interface AppResource<Row extends object = object> {
  notFound: Reason;
  find(db: Db, ids: Ids, look: AppLook): Promise<{ row: Row; membership: Membership } | undefined>;
}

/** Resources of the app API by noun; each slice registers its own. */
export type AppResources = { [N in keyof Rows]?: AppResource<Rows[N]> };
