import { Problem } from '#contract/problem.ts';
import { type Caller, type Found, ownProject, type Resource } from '#server/api/access/access.ts';
import { findInProject } from '#server/api/access/inProject.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** The project whose devices are listed. If only a home is given, it is the project of the home. */
interface DevicesOf {
  projectId: string;
}

declare module '#server/api/access/access.ts' {
  interface Rows {
    deviceList: DevicesOf;
  }
}

export const deviceListResource: Resource<DevicesOf> = {
  notFound: 'PROJECT_NOT_FOUND',
  async find(db, { projectId: named, homeId }, caller) {
    if (named === undefined && homeId !== undefined) return findHomesProject(db, homeId, caller);
    const projectId = named ?? ownProject(caller);
    if (projectId === undefined) throw new Problem('PROJECT_NOT_DEFINED');
    return findInProject<DevicesOf>(db, caller, {
      columns: sql`l.project_id as "projectId"`,
      from: sql`(select id as project_id from projects) l`,
      alias: 'l',
      where: sql`l.project_id = ${projectId}`,
    });
  },
};

/** Callers without access to the home get the same answer as if it did not exist. */
async function findHomesProject(db: Db, homeId: string, caller: Caller): Promise<Found<DevicesOf>> {
  // A value that is not an id is rejected when the query is parsed.
  const where = /^\d{1,18}$/.test(homeId) ? sql`h.id = ${homeId}` : sql`false`;
  const found = await findInProject<DevicesOf>(db, caller, {
    columns: sql`h.project_id as "projectId"`,
    from: sql`homes h`,
    alias: 'h',
    where,
    amongOwn: true,
  });
  if (!found) throw new Problem('HOME_NOT_FOUND');
  return found;
}
