import type { HomeRole } from '#contract/home.ts';
import { editProject } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from './apps.ts';
import type { CalledApp } from './endUsers.ts';
import type { ProjectWorld } from './projectWorld.ts';
import type { World } from './world.ts';

/** A home with its owner, inserted directly into the tables, for tests that are about neither. */
export async function aHome({ platform }: World, projectId: string): Promise<string> {
  const { db, newId, clock } = platform;
  const home = await db.one<{ id: string }>(sql`
    with person as (
      insert into users (project_id, id, created_at) values (${projectId}, ${newId('usr')}, ${clock()}) returning *),
    home as (
      insert into homes (project_id, name, time_zone, active, created_at)
      values (${projectId}, 'Home', 'Europe/Oslo', true, ${clock()}) returning *),
    member as (
      insert into home_members (project_id, home_id, user_id, role, joined_at)
      select home.project_id, home.id, person.id, 'owner', ${clock()} from home, person)
    select id::text from home`);
  if (!home) throw new Error('The home was not inserted.');
  return home.id;
}

/** Puts devices into a home, as if they had been claimed for it. */
export async function inHome(
  { platform: { db, clock } }: World,
  homeId: string,
  deviceIds: readonly (string | undefined)[],
): Promise<void> {
  await db.run(sql`
    update devices set home_id = ${homeId}, claim_code = null, owned_since = ${clock()}, claimed_how = 'claim'
    where id = any(${deviceIds})`);
}

export async function ownerOf({ platform }: World, homeId: string): Promise<string> {
  const owner = await platform.db.one<{ userId: string }>(sql`
    select user_id as "userId" from home_members where home_id = ${homeId} and role = 'owner'`);
  if (!owner) throw new Error('The home has gone.');
  return owner.userId;
}

/** A project with an app, with roles in its homes or with legacy access control. */
export async function sharingWorld(
  at: Pick<ProjectWorld, 'world' | 'owner'>,
  { hasRoles }: { hasRoles: boolean },
): Promise<CalledApp> {
  const { id: projectId } = await at.world.aProject(at.owner);
  const body = { enablePermissionBasedAccessControl: hasRoles };
  await at.owner.client.call(editProject, { params: { projectId }, body });
  return anApp(at.owner, projectId);
}

/** Puts a user into a home, as if they had been invited. */
export async function inRole(
  { platform: { db, clock } }: World,
  homeId: string,
  user: { id: string },
  role: HomeRole,
): Promise<void> {
  await db.run(sql`
    insert into home_members (project_id, home_id, user_id, role, joined_at)
    select project_id, id, ${user.id}, ${role}, ${clock()} from homes where id = ${homeId}`);
}
