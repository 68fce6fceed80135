import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startMooring } from '#test/serverProcess.ts';
import { ms, percentile, report } from './report.ts';

const starts = 7;
const restMs = 5000;

/** The time from the start of the process until /readyz reports ready, and the memory of an idle server. */
export async function run(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const first = await startMooring({ DATA_DIR: dataDir });
  await first.stop();
  const times: number[] = [];
  let rssMb = 0;
  for (let i = 0; i < starts; i++) {
    const server = await startMooring({ DATA_DIR: dataDir });
    times.push(server.readyMs);
    if (i === starts - 1) {
      await wait(restMs);
      rssMb = residentMb(server.child.pid ?? 0);
    }
    await server.stop();
  }
  rmSync(dataDir, { recursive: true, force: true });
  report({
    title: 'Start and idle memory',
    command: 'npm run bench -- start',
    head: ['', 'measured', 'bar'],
    rows: [
      ['first start, creating the database', ms(first.readyMs), ''],
      [`later start → /readyz, p50 of ${starts}`, ms(percentile(times, 0.5)), '≤ 1,000 ms'],
      ['idle memory (Node)', `${rssMb.toFixed(0)} MB`, '≤ 120 MB'],
    ],
    notes: [
      'Only the server process, without npm’s own time and the check for what must be built.',
      'The memory excludes PostgreSQL’s processes.',
    ],
  });
}

function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return Number(kb) / 1000;
}
