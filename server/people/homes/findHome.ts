import type { HomeRight } from '#contract/endpoint.ts';
import type { Home } from '#contract/home.ts';
import { Problem } from '#contract/problem.ts';
import type { AppResource } from '#server/api/access/appResource.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { sql } from '#server/infra/db/sql.ts';
import { type HomeRow, homeColumns, isHomeId, toHome } from './home.ts';
import { membershipOf, type RightsRow, rightsColumns } from './rights.ts';

/** A home that the end user is a member of. */
export const myHomeResource: AppResource<Home> = {
  notFound: 'HOME_NOT_FOUND',
  async find(db, { homeId = '' }, { projectId, user, hasRoles, lock, now }) {
    if (!isHomeId(homeId)) return undefined;
    // Locked before it is read: its members must not change in between.
    if (lock)
      await db.run(
        sql`select 1 from homes where project_id = ${projectId} and id = ${homeId} for no key update`,
      );
    const row = await db.one<HomeRow & RightsRow>(sql`
      select ${homeColumns}, ${rightsColumns} from homes h
      join home_members m on m.project_id = h.project_id and m.home_id = h.id and m.user_id = ${user.id}
      where h.project_id = ${projectId} and h.id = ${homeId}`);
    return row && { row: toHome(row, now), membership: membershipOf(row, { hasRoles, now }) };
  },
};

type InHome = Pick<Call, 'db' | 'inApp' | 'user' | 'now' | 'membership'> & { params: { homeId: string } };

/**
 * Locks the home of a call that creates something, as the pipeline does not lock it, and checks the user's rights
 * again: the membership may have ended since.
 */
export async function lockMyHome(call: InHome, right: HomeRight): Promise<void> {
  const { db, inApp, user, now, params } = call;
  const { projectId, hasRoles } = inApp;
  const found = await myHomeResource.find(db, params, { projectId, user, hasRoles, lock: true, now });
  if (!found?.membership.rights.includes('view')) throw new Problem('HOME_NOT_FOUND');
  if (!found.membership.rights.includes(right)) throw new Problem('HOME_RIGHT_MISSING');
  call.membership = found.membership;
}
