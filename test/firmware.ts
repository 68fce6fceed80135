import { sql } from '#server/infra/db/sql.ts';
import { unique, type World } from './world.ts';

/** A bundle of a class with a ready version of each of these components, inserted directly into the tables. */
export async function aBundle(
  { platform }: World,
  { projectId, deviceClass }: { projectId: string; deviceClass: string },
  components: Record<string, string> = { main: '1.0' },
  { id = platform.newId('bnd'), name = unique('bundle'), securityVersion = 0 } = {},
): Promise<{ id: string; name: string }> {
  const { db, clock } = platform;
  const now = clock();
  await db.run(sql`
    insert into bundles (project_id, id, device_class, name, created_at)
    values (${projectId}, ${id}, ${deviceClass}, ${name}, ${now})`);
  for (const [component, version] of Object.entries(components)) {
    await db.run(sql`
      insert into components (project_id, id, name, created_at)
      values (${projectId}, ${platform.newId('cmp')}, ${component}, ${now}) on conflict do nothing`);
    await db.run(sql`
      insert into component_versions (project_id, id, component_id, name, security_version, state, filename, place,
        size_bytes, sha256, created_at)
      select project_id, ${platform.newId('ver')}, id, ${version}, ${securityVersion}, 'ready', 'main.bin',
        'fil_test', 1000, encode(sha256(${`${component} ${version}`}::bytea), 'hex'), ${now}
      from components where project_id = ${projectId} and name = ${component} on conflict do nothing`);
    await db.run(sql`
      insert into bundle_components (project_id, bundle_id, component_id, version_id)
      select v.project_id, ${id}, v.component_id, v.id from component_versions v
      join components c on c.project_id = v.project_id and c.id = v.component_id
      where c.project_id = ${projectId} and c.name = ${component} and v.name = ${version}`);
  }
  return { id, name };
}

/** Channels of a class, inserted directly into the tables. */
export async function someChannels(
  { platform }: World,
  { projectId, deviceClass }: { projectId: string; deviceClass: string },
  ...names: string[]
): Promise<void> {
  for (const name of names)
    await platform.db.run(sql`
      insert into channels (project_id, id, device_class, name, created_at)
      values (${projectId}, ${platform.newId('chn')}, ${deviceClass}, ${name}, ${platform.clock()})
      on conflict do nothing`);
}
