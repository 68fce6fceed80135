import { expect, it } from 'vitest';
import { readPeopleFigures } from '#contract/stats.ts';
import { dayMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aHome } from '#test/homes.ts';
import { theWorld } from '#test/world.ts';

const world = theWorld();

it('the people of a project are counted: all users, new users, those seen within a day, and homes', async () => {
  const owner = await world.aDeveloper();
  const { id: projectId } = await world.aProject(owner);
  const params = { projectId };
  const figures = () => owner.client.call(readPeopleFigures, { params });
  expect(await figures()).toEqual({ users: 0, newUsers: 0, seenUsers: 0, homes: 0 });

  // Each home has its own owner, who is new and has never been seen.
  await aHome(world, projectId);
  await aHome(world, projectId);
  const { db, newId } = world.platform;
  const ago = (days: number) => new Date(world.now().getTime() - days * dayMs);
  const people = [
    { created: 6.9, seen: 0.9, suspended: false },
    { created: 7.1, seen: 1.1, suspended: false },
    { created: 30, seen: 0.1, suspended: true },
  ];
  for (const { created, seen, suspended } of people)
    await db.run(sql`
      insert into users (project_id, id, suspended, last_seen_at, created_at)
      values (${projectId}, ${newId('usr', ago(created))}, ${suspended}, ${ago(seen)}, ${ago(created)})`);
  expect(await figures()).toEqual({ users: 5, newUsers: 3, seenUsers: 2, homes: 2 });

  const stranger = await world.aDeveloper();
  await failing(stranger.client.call(readPeopleFigures, { params }), 'NOT_A_MEMBER');
});
