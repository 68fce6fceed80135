import type { Client } from '#contract/client.ts';
import { listDevices } from '#contract/device.ts';
import { listDeviceClasses } from '#contract/deviceClass.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { nextCursorHeader } from '#contract/paging.ts';
import { ms, percentile, report } from '../report.ts';

const rounds = 60;
/** So that the statements are prepared. */
const warmUps = 10;

type Query = Partial<QueryOf<typeof listDevices>>;

/** Each question is asked of every project in turn, each time with different values. */
const questions: Record<string, (size: number, round: number) => Query> = {
  'first page': () => ({}),
  'by tag': () => ({ sortBy: 'tag:asc' }),
  'last seen first': () => ({ sortBy: 'lastSeen:desc' }),
  'of all classes, by tag': () => ({ sortBy: 'tag:asc', deviceClass: '' }),
  'those connected': () => ({ connectionStatus: 'connected' }),
  'those of a channel': () => ({ channel: 'canary' }),
  'those not claimed': () => ({ claimed: false }),
  'a tag that is there once': (size, round) => ({
    search: `-${1 + Math.floor(((round * 0.618) % 1) * size)}`,
  }),
  'a word that one in five has': () => ({ search: 'boiler' }),
  'a word that nobody has': (_, round) => ({ search: `never${round}heard` }),
  'one letter': (_, round) => ({ search: 'ehlnt'[round % 5] ?? 'e' }),
  'two letters that nobody has': () => ({ search: 'qy' }),
};

export async function reportGrowth(client: Client, projects: ReadonlyMap<number, string>): Promise<void> {
  const sizes = [...projects.keys()];
  const rows: string[][] = [];
  for (const [name, query] of Object.entries(questions)) {
    const took = await times([...projects], (projectId, size, round) =>
      client.call(listDevices, { query: { projectId, deviceClass: 'demo-1', ...query(size, round) } }),
    );
    rows.push(rowOf(name, took));
  }
  const cursors = new Map<string, string>();
  for (const [size, projectId] of projects)
    await client.call(listDevices, {
      query: { projectId, skip: Math.floor(size / 2) },
      onHeaders: headers => cursors.set(projectId, headers.get(nextCursorHeader) ?? ''),
    });
  const deep = await times([...projects], projectId =>
    client.call(listDevices, { query: { projectId, cursor: cursors.get(projectId) ?? '' } }),
  );
  rows.push(rowOf('the middle of all, by cursor', deep));
  const skipped = await times([...projects], (projectId, size) =>
    client.call(listDevices, { query: { projectId, skip: Math.floor(size / 2) } }),
  );
  rows.push(rowOf('the middle of all, by skip', skipped));
  const classes = await times([...projects], projectId =>
    client.call(listDeviceClasses, { params: { projectId } }),
  );
  rows.push(rowOf('the classes with their counts', classes));
  report({
    title: 'Devices: the same list in small and large projects',
    command: 'npm run bench -- devices',
    head: [
      'list of 25 with total',
      ...sizes.map(size => `${size.toLocaleString('en')} p50 / p95`),
      'p95 ratio',
    ],
    rows,
    notes: [
      `Calls to the running server, one after the other, alternating between the projects; ${rounds} rounds. The ratio is that of the largest to the smallest project; the bar is 2.`,
      'All projects are in one database with its default settings; unless stated otherwise, one class of four is listed.',
      'No index covers fewer than three letters; the cost of such a search is limited by time.',
    ],
  });
}

async function times(
  projects: [size: number, id: string][],
  ask: (projectId: string, size: number, round: number) => Promise<unknown>,
): Promise<number[][]> {
  const took = projects.map(() => [] as number[]);
  for (let round = 0; round < warmUps + rounds; round++)
    for (const [at, [size, projectId]] of projects.entries()) {
      const startedAt = performance.now();
      await ask(projectId, size, round);
      if (round >= warmUps) took[at]?.push(performance.now() - startedAt);
    }
  return took;
}

function rowOf(name: string, took: number[][]): string[] {
  const p95s = took.map(values => percentile(values, 0.95));
  const cells = took.map((values, at) => `${ms(percentile(values, 0.5))} / ${ms(p95s[at] ?? 0)}`);
  return [name, ...cells, ((p95s.at(-1) ?? 0) / (p95s[0] ?? 1)).toFixed(2)];
}
