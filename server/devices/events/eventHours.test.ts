import { expect, it } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { theWorld } from '#test/world.ts';
import { EventHours, eventsByName, namesMax } from './eventHours.ts';

const world = theWorld();

it('a class gets at most 200 names an hour, also if all come at once; the frequent ones and the known ones count', async () => {
  const owner = await world.aDeveloper();
  const { id: projectId } = await world.aProject(owner);
  const { db } = world.platform;
  const of = { projectId, deviceClass: 'cls_x' };
  const events = new EventHours(world.platform);
  for (let n = 0; n < 6 * namesMax; n++) events.count(of, `name${n}`);
  events.count(of, 'name1199');
  await events.flush();
  const names = async () =>
    (
      await db.one<{ count: number }>(
        sql`select count(*)::int as count from event_hours where project_id = ${projectId}`,
      )
    )?.count;
  expect(await names()).toBe(namesMax);
  for (let n = 0; n < 6 * namesMax; n++) events.count(of, `name${n}`);
  await events.flush();
  expect(await names()).toBe(namesMax);
  const [first, second] = await eventsByName(db, projectId, world.now());
  expect(first).toEqual({ name: 'name1199', deviceClass: 'cls_x', count: 3 });
  expect(second?.count).toBe(2);
});
