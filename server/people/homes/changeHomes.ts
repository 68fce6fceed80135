import { Problem } from '#contract/problem.ts';
import { timeZoneNamed } from '#rules/time/timeZone.ts';
import { updateRow } from '#server/infra/db/rows.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { hasRoomForHome } from './myHomes.ts';

interface NewHome {
  projectId: string;
  ownerId: string;
  name: string;
  timeZone: string;
  /** The app that the home is created in, if any. */
  createdIn?: string;
  now: Date;
}

/** Adds a home with its owner and returns its id. If the project requires it, the home starts deactivated. */
export async function insertHome(db: Db, { timeZone, ...given }: NewHome): Promise<string> {
  const { projectId, ownerId, name, now } = given;
  if (!(await hasRoomForHome(db, projectId, ownerId))) throw new Problem('TOO_MANY_HOMES');
  const home = await db.one<{ id: string }>(sql`
    insert into homes (project_id, name, time_zone, active, created_in, created_at)
    select id, ${name}, ${knownTimeZone(timeZone)}, not deactivate_new_homes, ${given.createdIn ?? null}, ${now}
    from projects where id = ${projectId}
    returning id::text`);
  if (!home) throw new Error(`Project ${projectId} has gone.`);
  await db.run(sql`
    insert into home_members (project_id, home_id, user_id, role, joined_at)
    values (${projectId}, ${home.id}, ${ownerId}, 'owner', ${now})`);
  return home.id;
}

interface Edit {
  name?: string | undefined;
  timeZone?: string | undefined;
  active?: boolean | undefined;
}

export async function updateHome(
  db: Db,
  { projectId, homeId }: { projectId: string; homeId: string },
  { name, timeZone, active }: Edit,
): Promise<void> {
  const edit = { name, timeZone: timeZone === undefined ? undefined : knownTimeZone(timeZone), active };
  const columnOf = { name: 'name', timeZone: 'time_zone', active: 'active' };
  await updateRow(db, 'homes', { project_id: projectId, id: homeId }, edit, columnOf);
}

/** Deletes a home with its members and invitations. Its devices must have been released before. */
export function removeHome(db: Db, projectId: string, homeId: string): Promise<number> {
  return db.run(sql`delete from homes where project_id = ${projectId} and id = ${homeId}`);
}

function knownTimeZone(name: string): string {
  const zone = timeZoneNamed(name);
  if (zone === undefined)
    throw new Problem('TIME_ZONE_UNKNOWN', { fields: { timeZone: 'TIME_ZONE_UNKNOWN' } });
  return zone;
}
