import { expect, it } from 'vitest';
import { deleteProject, readProjectDeletion } from '#contract/project.ts';
import { EventHours } from '#server/devices/events/eventHours.ts';
import { raw, sql } from '#server/infra/db/sql.ts';
import { slices } from '#server/slices.ts';
import { writeEntries } from '#test/entries.ts';
import { until } from '#test/until.ts';
import { type SignedIn, theWorld } from '#test/world.ts';

const world = theWorld();

async function deleted(owner: SignedIn, projectId: string): Promise<void> {
  const { deletionId } = await owner.client.call(deleteProject, { params: { projectId } });
  await until(async () => {
    const { state } = await owner.client.call(readProjectDeletion, { params: { deletionId } });
    return state === 'done' ? true : undefined;
  });
}

/** The tables that still have rows of the project. */
async function left(projectId: string): Promise<string[]> {
  const tables = slices.flatMap(({ tables = {} }) => Object.keys(tables));
  const found = await Promise.all(
    tables.map(table =>
      world.platform.db.one<{ table: string }>(
        sql`select ${table} as table from ${raw(table)} where project_id = ${projectId} limit 1`,
      ),
    ),
  );
  return found.flatMap(row => row?.table ?? []);
}

it('figures that were gathered before a project was deleted are not written afterwards', async () => {
  const owner = await world.aDeveloper();
  const { id: projectId } = await world.aProject(owner);
  const { traffic } = world.platform;
  const events = new EventHours(world.platform);
  traffic.countMessages({ projectId, deviceClass: 'cls_x', in: 1, out: 1, bytes: 10 });
  events.count({ projectId, deviceClass: 'cls_x' }, 'tick');
  await deleted(owner, projectId);
  await Promise.all([traffic.flush(), events.flush()]);
  expect(await left(projectId)).toEqual([]);
});

it('rows that a process wrote after a project was deleted are removed by a last job', async () => {
  const owner = await world.aDeveloper();
  const { id: projectId } = await world.aProject(owner);
  await deleted(owner, projectId);
  await writeEntries(world.platform, projectId, [{ stream: 'system', text: 'late' }]);
  expect(await left(projectId)).toEqual(['log_entries']);
  await world.platform.db.run(sql`
    update graphile_worker._private_jobs set run_at = now() where task_id = (
      select id from graphile_worker._private_tasks where identifier = 'sweepProject')`);
  await expect.poll(() => left(projectId)).toEqual([]);
});
