import { expect, test } from 'vitest';
import { asBefore } from '#test/asBefore.ts';
import { migrate } from './migrate.ts';
import { sql } from './sql.ts';

test('classes that existed before revisions get their current one, with its time if known', async () => {
  const { db, url } = await asBefore('0280_class_revisions.sql');
  await db.run(sql`
    insert into developers (id, org_id, email, name, created_at)
    values ('dvl_1', 'default', 'ada@example.com', 'Ada', now())`);
  await db.run(sql`
    insert into projects (id, org_id, name, created_by, created_at)
    values ('prj_1', 'default', 'Old', 'dvl_1', now())`);
  await db.run(sql`
    insert into device_classes (project_id, id, description, state_schema, revision, created_at)
    values ('prj_1', 'lamp', 'Lamps', '{"b": 1, "a": 2}', 1, '2026-01-01'),
      ('prj_1', 'lock', '', null, 7, '2026-01-01')`);
  expect(await migrate(url)).toContain('0280_class_revisions.sql');
  expect(
    await db.many(sql`
      select device_class as class, revision, description, state_schema::text as schema, changed, bytes,
        saved_at = '2026-01-01' as "isKnown", saved_by as by
      from device_class_revisions order by device_class`),
  ).toEqual([
    {
      class: 'lamp',
      revision: 1,
      description: 'Lamps',
      schema: '{"b": 1, "a": 2}',
      changed: [],
      bytes: 21,
      isKnown: true,
      by: null,
    },
    {
      class: 'lock',
      revision: 7,
      description: '',
      schema: null,
      changed: [],
      bytes: 0,
      isKnown: null,
      by: null,
    },
  ]);
});
