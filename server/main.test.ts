import { constants, getPriority } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { startMooring } from '#test/serverProcess.ts';
import { aWorld } from '#test/world.ts';

it('a process with only the role worker runs at a lower priority than the doors on its machine', async () => {
  const world = await aWorld();
  onTestFinished(() => world.end());
  const { dataDir, databaseUrl = '' } = world.platform.config;
  const settings = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
  const processes = await Promise.all(
    ['worker', 'api,worker'].map(ROLES => startMooring({ ...settings, ROLES })),
  );
  onTestFinished(async () => void (await Promise.all(processes.map(one => one.stop()))));
  // A process begins with the priority of the one that started it.
  const priorities = () => processes.map(({ child }) => getPriority(child.pid));
  await expect.poll(priorities).toEqual([constants.priority.PRIORITY_BELOW_NORMAL, getPriority()]);
});
