import type { Home, HomeMember } from '#contract/home.ts';
import { Problem } from '#contract/problem.ts';
import { type Caller, type Found, type Ids, ownProject, type Resource } from '#server/api/access/access.ts';
import { findInProject } from '#server/api/access/inProject.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { type HomeRow, homeColumns, isHomeId, toHome } from './home.ts';
import { findMember, toMember } from './members.ts';

/** Whose homes are listed: those of a project, or of one user in it. */
interface HomesOf {
  projectId: string;
  userId?: string;
}

declare module '#server/api/access/access.ts' {
  interface Rows {
    home: Home;
    homeMember: HomeMember & { hasRoles: boolean };
    homeList: HomesOf;
  }
}

export const homeResource: Resource<Home> = {
  notFound: 'HOME_NOT_FOUND',
  async find(db, { homeId = '' }, caller) {
    if (!isHomeId(homeId)) return undefined;
    if (caller.lock) await lock(db, homeId);
    const found = await findInProject<HomeRow>(
      db,
      { ...caller, lock: false },
      { columns: homeColumns, from: sql`homes h`, alias: 'h', where: sql`h.id = ${homeId}` },
    );
    return found && { ...found, row: toHome(found.row, caller.now) };
  },
};

export const homeMemberResource: Resource<HomeMember & { hasRoles: boolean }> = {
  notFound: 'HOME_MEMBER_NOT_FOUND',
  async find(db, { homeId = '', userId = '' }, caller) {
    if (!isHomeId(homeId)) return undefined;
    if (caller.lock) await lock(db, homeId);
    const found = await findInProject<{ id: string }>(
      db,
      { ...caller, lock: false },
      { columns: sql`h.id`, from: sql`homes h`, alias: 'h', where: sql`h.id = ${homeId}` },
    );
    const member = found && (await findMember(db, { projectId: found.projectId, homeId }, userId));
    return member && { ...found, row: { ...toMember(member), hasRoles: member.hasRoles } };
  },
};

/** Locked before it is read: the members of a home change one at a time. */
function lock(db: Db, homeId: string): Promise<number> {
  return db.run(sql`select 1 from homes where id = ${homeId} for no key update`);
}

export const homeListResource: Resource<HomesOf> = {
  notFound: 'PROJECT_NOT_FOUND',
  async find(db, { projectId: named, userId }, caller) {
    const projectId = named ?? ownProject(caller);
    if (userId !== undefined) return findUsersHomes(db, { projectId, userId }, caller);
    if (projectId === undefined) throw new Problem('PROJECT_NOT_DEFINED');
    const found = await findInProject<HomesOf>(db, caller, {
      columns: sql`l.project_id as "projectId"`,
      from: sql`(select id as project_id from projects) l`,
      alias: 'l',
      where: sql`l.project_id = ${projectId}`,
    });
    return found;
  },
};

async function findUsersHomes(
  db: Db,
  { projectId, userId }: Ids,
  caller: Caller,
): Promise<Found<HomesOf> | undefined> {
  const found = await findInProject<HomesOf>(db, caller, {
    columns: sql`u.project_id as "projectId", u.id as "userId"`,
    from: sql`users u`,
    alias: 'u',
    where: sql`u.id = ${userId}`,
  });
  const isReached =
    caller.developerId === '' ? caller.projectIds?.includes(found?.projectId ?? '') : found?.role;
  if (!found || !isReached || (projectId !== undefined && projectId !== found.projectId))
    throw new Problem('USER_NOT_FOUND');
  return found;
}

/** A home that is known to exist. */
export async function findHome(db: Db, homeId: string, now: Date): Promise<Home> {
  const row = await db.one<HomeRow>(sql`select ${homeColumns} from homes h where h.id = ${homeId}`);
  if (!row) throw new Problem('HOME_NOT_FOUND');
  return toHome(row, now);
}

export async function isUser(db: Db, projectId: string, userId: string): Promise<boolean> {
  const found = await db.one(sql`
    select 1 as found from users where project_id = ${projectId} and id = ${userId}`);
  return found !== undefined;
}
