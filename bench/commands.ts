import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '#server/infra/db/postgres.ts';
import { type CommandTimes, commandLoad } from './gateway/commandLoad.ts';
import { connectAll } from './gateway/loads.ts';
import { startOurs } from './gateway/targets.ts';
import { ms, percentile, report } from './report.ts';

const devices = 100;
const warmUpS = 5;

const parts: [keyof CommandTimes, string][] = [
  ['sent', 'the call that sends it is answered'],
  ['arrived', 'the device has it'],
  ['stored', 'the answer of the device is stored'],
  ['known', 'who waits for it with a second call knows the result'],
];

/** The latency of a command, hop by hop. `npm run bench -- commands 200 10`: commands per second, seconds. */
export async function run(words: string[]): Promise<void> {
  const [perS = 200, seconds = 10] = words.map(Number);
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const postgres = await startPostgres({ dataDir, log: { warn: console.warn } });
  const ours = await startOurs(dataDir, postgres.url, devices);
  try {
    const connected = (await connectAll(ours, ours.identities)).devices;
    const times = await commandLoad(ours, connected, { perS, seconds, warmUpS });
    for (const device of connected) device.end();
    const row = ([part, name]: (typeof parts)[number]) => {
      const all = times.map(one => one[part]);
      return [name, ...[0.5, 0.9, 0.99, 0.999].map(share => ms(percentile(all, share)))];
    };
    report({
      title: `Latency of a command at ${perS} per second`,
      command: `npm run bench -- commands ${perS} ${seconds}`,
      head: ['after the call', 'p50', 'p90', 'p99', 'p99.9'],
      rows: parts.map(row),
      notes: [
        `${devices} devices, which answer at once. Load, server and database share the machine.`,
        'Target at 200 per second, for the last line: p50 at most 8 ms, p99 at most 40 ms.',
      ],
    });
  } finally {
    await ours.stop();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
