import { expect, it } from 'vitest';
import { type LogEntry, readLogEntries } from '#contract/log.ts';
import { dayMs } from '#rules/time/durations.ts';
import { exportEntries } from '#server/projects/logEntries/export.ts';
import { soughtIn } from '#server/projects/logEntries/read.ts';
import { someone, writeEntries } from '#test/entries.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

const range = () => ({
  begin: new Date(at.world.now().getTime() - dayMs).toISOString(),
  end: new Date(at.world.now().getTime() + dayMs).toISOString(),
});

function fetchExport(query: Record<string, string>, who = at.owner): Promise<Response> {
  const text = new URLSearchParams({ ...range(), ...query });
  return who.fetch(`${at.world.url}/api/projects/${at.projectId}/logEntries/export?${text}`);
}

it('an export contains what the query with the same filters returns, newest first', async () => {
  await writeEntries(
    at.world.platform,
    at.projectId,
    Array.from({ length: 1200 }, (_, i) => ({ text: `Entry ${i % 4 ? 'odd' : 'even'} ${i}`, level: i % 3 })),
  );
  const query = { text: 'even', level: '1' as const };
  const response = await fetchExport({ ...query, format: 'jsonl' });
  expect(response.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="audit-log-prj_\w+-[\d-]+\.jsonl"$/,
  );
  const lines = (await response.text()).trimEnd().split('\n');
  const exported = lines.map(line => JSON.parse(line) as LogEntry);
  const asked = { ...range(), ...query, maxEntries: 999 };
  const read = await at.owner.client.call(readLogEntries, {
    params: { projectId: at.projectId },
    query: asked,
  });
  expect(exported).toEqual(read);
  expect(exported.length).toBe(200);
});

it('a CSV export has a header and a row per entry, and no cell that a spreadsheet would run', async () => {
  const actor = { ...someone, displayName: '@SUM(A1)', bySudoer: true as const };
  await writeEntries(at.world.platform, at.projectId, [
    { text: '=HYPERLINK("http://evil.example")', action: 'formula', actor },
    { text: '+1', action: 'formula' },
    { text: '-1', action: 'formula' },
    { text: '\t=1', action: 'formula' },
    { text: 'two\r\nlines, "quoted"', action: 'formula', detail: { after: { name: 'a,b' } } },
  ]);
  const response = await fetchExport({ action: 'formula', format: 'csv' });
  expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
  const rows = parseCsv(await response.text());
  expect(rows[0]?.slice(0, 4)).toEqual(['ts', 'level', 'action', 'text']);
  expect(rows).toHaveLength(6);
  expect(rows.flat().filter(cell => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  const texts = rows.slice(1).map(row => row[3]);
  expect(texts.toSorted()).toEqual(
    ['\'=HYPERLINK("http://evil.example")', "'+1", "'-1", "'\t=1", 'two\r\nlines, "quoted"'].toSorted(),
  );
  const sudo = rows.find(row => row[3]?.includes('HYPERLINK'));
  expect(sudo?.slice(6, 8)).toEqual(["'@SUM(A1)", 'true']);
  const detailed = rows.find(row => row[3]?.startsWith('two'));
  expect(JSON.parse(detailed?.[8] ?? '')).toEqual({ after: { name: 'a,b' } });
});

it('an export without entries is still a file, and a bad range is refused', async () => {
  const nothing = { action: 'never', format: 'csv' };
  expect((await (await fetchExport(nothing)).text()).split('\r\n')).toHaveLength(2);
  expect((await fetchExport({ format: 'csv', end: '2020-01-01T00:00:00Z' })).status).toBe(416);
  expect((await fetchExport({ format: 'xml' })).status).toBe(400);
});

it('an export is only for members', async () => {
  const bob = await at.world.aDeveloper();
  expect((await fetchExport({ format: 'jsonl' }, bob)).status).toBe(403);
});

it('an export that nobody reads stops reading the log', async () => {
  await writeEntries(
    at.world.platform,
    at.projectId,
    Array.from({ length: 20_000 }, () => ({ action: 'many' })),
  );
  const { db } = at.world.platform;
  let asked = 0;
  const counting = {
    ...db,
    many: <T>(query: Parameters<typeof db.many>[0]) => {
      asked += 1;
      return db.many<T>(query);
    },
  };
  const { body } = exportEntries(
    counting,
    soughtIn({ projectId: at.projectId, stream: 'audit' }, range()),
    'jsonl',
  );
  const iterator = body[Symbol.asyncIterator]();
  await iterator.next();
  // If the export did not wait for its reader, it would continue while the database answers these queries.
  for (let i = 0; i < 50; i++) await db.one({ text: 'select 1', values: [] } as never);
  expect(asked).toBeLessThan(5);
  body.destroy();
});

/** RFC 4180 */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
