import { expect, it } from 'vitest';
import { readProject } from '#contract/project.ts';
import { readStats, readTrafficStats } from '#contract/stats.ts';
import { failing } from '#test/failing.ts';
import { theWorld, toHalfPast } from '#test/world.ts';
import { Traffic } from './traffic.ts';

const world = theWorld();

const month = () => world.now().toISOString().slice(0, 7);

it('every call about a project is counted by day and month', async () => {
  toHalfPast(world);
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  for (let i = 0; i < 7; i++) await ada.client.call(readProject, { params: { projectId } });
  const query = { begin: month(), end: month() };
  const [counted] = await ada.client.call(readTrafficStats, { params: { projectId }, query });
  // This call is the eighth.
  expect(counted?.counts.apiCalls).toBe(8);
  expect(counted?.days.map(({ counts }) => counts.apiCalls)).toEqual([8]);
});

it('counts of two processes add up', async () => {
  toHalfPast(world);
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  const processes = [new Traffic(world.platform), new Traffic(world.platform)];
  for (const process of processes) process.count(projectId, 'deviceMessagesIn', 5);
  await Promise.all(processes.map(process => process.flush()));
  const query = { begin: month(), end: month() };
  const [counted] = await ada.client.call(readTrafficStats, { params: { projectId }, query });
  expect(counted?.counts.deviceMessagesIn).toBe(10);
});

it('a month without traffic is returned with zeros', async () => {
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  const query = { begin: '2020-11', end: '2021-02' };
  const months = await ada.client.call(readTrafficStats, { params: { projectId }, query });
  expect(months.map(one => one.month)).toEqual(['2020-11', '2020-12', '2021-01', '2021-02']);
  expect(months.every(({ counts }) => counts.bytes === 0)).toBe(true);
});

it('an end before the beginning, and a range of more than three years, are refused', async () => {
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  for (const query of [
    { begin: '2024-02', end: '2024-01' },
    { begin: '2020-01', end: '2024-01' },
  ]) {
    await failing(ada.client.call(readTrafficStats, { params: { projectId }, query }), 'INVALID_RANGE');
  }
});

it('the figures of a new project have no devices and no users', async () => {
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  expect(await ada.client.call(readStats, { params: { projectId } })).toEqual({ devices: [], users: 0 });
});
