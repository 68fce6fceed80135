import { expect, test } from 'vitest';
import { asBefore } from '#test/asBefore.ts';
import { migrate } from './migrate.ts';
import { sql } from './sql.ts';

const devices = [
  { id: 'dev_1', class: 'lamp', channel: '', bundle: null },
  { id: 'dev_2', class: 'lamp', channel: 'beta', bundle: 'bnd_free' },
  { id: 'dev_3', class: 'lamp', channel: 'beta', bundle: null },
  { id: 'dev_4', class: 'lock', channel: 'beta', bundle: null },
] as const;

test('devices keep their channel, whatever channel and bundle they named, and their class gets it too', async () => {
  const { db, url } = await asBefore('0050_firmware.sql');
  await db.run(sql`
    insert into developers (id, org_id, email, name, created_at)
    values ('dvl_1', 'default', 'ada@example.com', 'Ada', now())`);
  await db.run(sql`
    insert into projects (id, org_id, name, created_by, created_at)
    values ('prj_1', 'default', 'Old', 'dvl_1', now())`);
  await db.run(sql`
    insert into device_classes (project_id, id, created_at)
    values ('prj_1', 'lamp', now()), ('prj_1', 'lock', now())`);
  for (const device of devices)
    await db.run(sql`
      insert into devices (project_id, id, device_class, channel, bundle_installed, key_hash, key_end, created_at)
      values ('prj_1', ${device.id}, ${device.class}, ${device.channel}, ${device.bundle}, '', 'abcd', now())`);
  expect(await migrate(url)).toContain('0050_firmware.sql');
  expect(
    await db.many(sql`
      select device_class as class, name, bundle_id as bundle from channels order by device_class, name`),
  ).toEqual([
    { class: 'lamp', name: 'beta', bundle: null },
    { class: 'lock', name: 'beta', bundle: null },
  ]);
  expect(
    await db.many(sql`
      select id, device_class as class, channel, bundle_installed as bundle from devices order by id`),
  ).toEqual(devices.map(device => ({ ...device, bundle: null })));
  const elsewhere = sql`update devices set channel = 'gamma' where id = 'dev_1'`;
  await expect(db.run(elsewhere)).rejects.toThrow('devices_channel');
});
