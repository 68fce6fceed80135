import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createProject } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { newcomer } from '#test/newcomer.ts';
import { reportGrowth } from './devices/growth.ts';
import { reportLoads } from './devices/loads.ts';
import { startBoth } from './reference/beside.ts';

/** The share of all devices that is in one project; most of the rest is in another, beside the smaller projects. */
const largest = 0.5;
const smaller = [1_000, 10_000, 100_000];

/** `npm run bench -- devices [all devices]`: a million unless given. */
export async function run(words: string[]): Promise<void> {
  const all = Number(words[0] ?? 1_000_000);
  if (!Number.isInteger(all) || all < 10_000)
    throw new Error('Give how many devices there are, 10000 or more.');
  const both = await startBoth();
  const { mooring, db, env } = both;
  const visitor = await newcomer(mooring.url, 'bench@example.com');
  try {
    const sizes = [...smaller.filter(size => size <= all / 10), all * largest];
    const projects = new Map<number, string>();
    for (const size of [...sizes, all - sizes.reduce((sum, size) => sum + size, 0)]) {
      const { id } = await visitor.client.call(createProject, { body: { name: `${size} devices` } });
      await seed(env, id, size);
      if (sizes.includes(size)) projects.set(size, id);
    }
    // The data as gateways would have left it.
    await db.run(
      sql`update device_presence set seen_at = 'infinity' where right(device_id, 1) in ('0', '1', '2')`,
    );
    await db.run(sql`vacuum (analyze) devices`);
    await db.run(sql`vacuum (analyze) device_presence`);
    await reportGrowth(visitor.client, projects);
    await reportLoads({ ...both, visitor, projects, all });
  } finally {
    await both.end();
  }
}

async function seed(env: Record<string, string>, projectId: string, devices: number): Promise<void> {
  const program = join(import.meta.dirname, '../cli/operator.ts');
  const given = ['seed', '--project', projectId, '--devices', String(devices), '--classes', '4'];
  const child = spawn(process.execPath, [program, ...given], {
    env: { ...process.env, ...env, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error('The project could not be filled.');
}
