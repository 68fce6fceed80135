import { expect, it } from 'vitest';
import { editSmartModule, listSmartModules, readSmartModule } from '#contract/smartModule.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { recordHealth } from '#server/modules/runs/endRuns.ts';
import { findModule } from '#server/modules/smartModules/store.ts';
import { aModule } from '#test/modules.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { warnOfFailing } from './warnOfFailing.ts';

const at = aProjectWorld();

/** A webhook whose first attempt has just failed. */
async function aFailing(): Promise<string> {
  const id = await aModule(at, { config: { url: 'https://hooks.example.com/secret-path', secret: 'x' } });
  await fails(id);
  return id;
}

/** Records a failed attempt now. */
function fails(id: string) {
  const { db, clock } = at.world.platform;
  const attempt = { at: clock().toISOString(), ms: 1, isOk: false, summary: '500' };
  return recordHealth(db, [{ projectId: at.projectId, moduleId: id, attempt }], clock());
}

const subjects = async (id: string) =>
  (await at.world.mailsTo(at.owner.email))
    .map(({ subject }) => subject)
    .filter(subject => subject.includes(id))
    .toReversed();

/** Lets the webhook go on failing for this many hours, and returns the subjects of the e-mails. */
async function after(hours: number, id: string): Promise<string[]> {
  for (let left = hours; left > 0; left -= 12) {
    at.world.pass(Math.min(left, 12) * hourMs);
    await fails(id);
  }
  await warnOfFailing(at.world.platform);
  await warnOfFailing(at.world.platform);
  return subjects(id);
}

it('the list shows since when a module has been failing', async () => {
  const id = await aFailing();
  const [failing] = await fails(id);
  const well = await aModule(at, {});
  const { items } = await at.owner.client.call(listSmartModules, {
    params: { projectId: at.projectId },
    query: {},
  });
  const since = new Map(items.map(item => [item.id, item.activity.failingSince]));
  expect([since.get(id), since.get(well)]).toEqual([failing?.failingSince.toISOString(), undefined]);
});

it('developers are warned after an hour, a day and four days, and the webhook is suspended after five', async () => {
  const id = await aFailing();
  expect(await after(0.9, id)).toEqual([]);
  const first = [`Webhook ${id} is failing`];
  expect(await after(0.2, id)).toEqual(first);
  expect(await after(20, id)).toEqual(first);
  const second = [...first, `Webhook ${id} is failing`];
  expect(await after(3, id)).toEqual(second);
  const third = [...second, `Webhook ${id} ends tomorrow`];
  expect(await after(72, id)).toEqual(third);
  const [mail] = await at.world.mailsTo(at.owner.email);
  expect(mail?.text).toContain('hooks.\u2060example.\u2060com');
  expect(mail?.text).not.toContain('secret-path');
  expect(await after(24, id)).toEqual([...third, `Smart module ${id} was suspended`]);
  const row = await at.world.platform.db.one(sql`
    select suspended, suspended_because as because from smart_modules
    where project_id = ${at.projectId} and id = ${id}`);
  expect(row).toEqual({ suspended: true, because: 'Every call failed for 5 days' });
});

it('a webhook that succeeded in between is warned about again, but not one that has been parked', async () => {
  const id = await aFailing();
  const { db, clock } = at.world.platform;
  await after(1.1, id);
  await db.run(sql`
    update module_health set failing_since = ${clock()} where project_id = ${at.projectId} and module_id = ${id}`);
  expect(await after(0.5, id)).toHaveLength(1);
  expect(await after(0.6, id)).toHaveLength(2);
  await db.run(sql`
    update smart_modules set parked_at = ${clock()}, parked_because = 'x'
    where project_id = ${at.projectId} and id = ${id}`);
  expect(await after(24, id)).toHaveLength(2);
});

it('a webhook without calls for a day is left alone, and its next failure starts a new period', async () => {
  const id = await aFailing();
  const mails = await after(1.1, id);
  at.world.pass(121 * hourMs);
  await warnOfFailing(at.world.platform);
  expect(await findModule(at.world.platform.db, at.projectId, id)).toMatchObject({ suspended: false });
  expect(await subjects(id)).toEqual(mails);
  const [failing] = await fails(id);
  expect(failing?.failingSince.getTime()).toBeGreaterThan(at.world.now().getTime() - hourMs);
});

it('a resumed webhook starts a new period', async () => {
  const id = await aFailing();
  await after(121, id);
  const { db } = at.world.platform;
  at.world.pass(minuteMs);
  const row = await db.one(
    sql`select suspended from smart_modules where project_id = ${at.projectId} and id = ${id}`,
  );
  expect(row).toEqual({ suspended: true });
  const owner = await at.world.aDeveloper();
  await db.run(sql`
    insert into project_members (project_id, developer_id, role, created_at)
    values (${at.projectId}, ${owner.developer.id}, 'developer', now())`);
  const params = { projectId: at.projectId, moduleId: id };
  await owner.client.call(editSmartModule, { params, body: { suspended: false } });
  await warnOfFailing(at.world.platform);
  expect(await owner.client.call(readSmartModule, { params })).toMatchObject({ suspended: false });
});
