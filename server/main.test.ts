import { mkdtempSync, rmSync } from 'node:fs';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startMooring } from '#test/serverProcess.ts';
import { aWorld } from '#test/world.ts';

it('a process with only the role worker runs at a lower priority than the doors on its machine', async () => {
  const world = await aWorld();
  const dir = mkdtempSync(join(tmpdir(), 'mooring-roles-'));
  const settings = { DATA_DIR: dir, DATABASE_URL: world.platform.config.databaseUrl ?? '' };
  const processes = await Promise.all(
    ['worker', 'api,worker'].map(ROLES => startMooring({ ...settings, ROLES })),
  );
  const { PRIORITY_BELOW_NORMAL, PRIORITY_NORMAL } = constants.priority;
  const priorities = () => processes.map(({ child }) => getPriority(child.pid));
  await expect.poll(priorities).toEqual([PRIORITY_BELOW_NORMAL, PRIORITY_NORMAL]);
  await Promise.all(processes.map(one => one.stop()));
  await world.end();
  rmSync(dir, { recursive: true });
});
