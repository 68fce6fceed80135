import { expect, test } from 'vitest';
import { asBefore } from '#test/asBefore.ts';
import { migrate } from './migrate.ts';
import { sql } from './sql.ts';

test('the texts of notifications read the payload by the name that conditions use', async () => {
  const { db, url } = await asBefore('0385_payload_has_one_name.sql');
  await db.run(sql`
    insert into developers (id, org_id, email, name, created_at)
    values ('dvl_1', 'default', 'ada@example.com', 'Ada', now())`);
  await db.run(sql`
    insert into projects (id, org_id, name, created_by, created_at)
    values ('prj_1', 'default', 'Old', 'dvl_1', now())`);
  const config = {
    subject: '{{payload.door}} by {{ payload.who | default: "payload." }}',
    text: 'The payload.txt of {% if payload.open and payload.wide %}{{ state.payload.x }}{% endif %}',
  };
  await db.run(sql`
    insert into smart_modules (project_id, id, module_type, config, created_at, created_by, changed_at)
    values ('prj_1', 'mail', 'notify', ${JSON.stringify(config)}, now(), 'Ada', now())`);
  expect(await migrate(url)).toContain('0385_payload_has_one_name.sql');
  expect(await db.one(sql`select config from smart_modules`)).toEqual({
    config: {
      subject: '{{event.payload.door}} by {{ event.payload.who | default: "event.payload." }}',
      text: 'The payload.txt of {% if event.payload.open and event.payload.wide %}{{ state.payload.x }}{% endif %}',
    },
  });
});
