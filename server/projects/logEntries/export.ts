import { Readable } from 'node:stream';
import { type LogEntry, logLevels } from '#contract/log.ts';
import { search } from '#server/api/logs/search.ts';
import { type EntryRow, type Sought, toEntry, toSealed } from '#server/api/logs/store.ts';
import { csvLine } from '#server/infra/csv.ts';
import type { Database } from '#server/infra/db/sql.ts';

export type ExportFormat = 'jsonl' | 'csv';

const rowsAtOnce = 500;

const formats: Record<
  ExportFormat,
  { contentType: string; head: string; line: (row: EntryRow, stream: Sought['stream']) => string }
> = {
  jsonl: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: '',
    line: (row, stream) => `${JSON.stringify({ ...toEntry(row), ...sealedParts(row, stream) })}\n`,
  },
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    head: csvLine([
      'ts',
      'level',
      'action',
      'text',
      'callerType',
      'actorId',
      'actor',
      'bySudoer',
      'detail',
      'id',
      'tokenName',
    ]),
    line: row => toCsv(toEntry(row)),
  },
};

/** Streams the entries as a file, only as fast as the client reads: at most one page of entries is in memory. */
export function exportEntries(db: Database, sought: Sought, format: ExportFormat) {
  const { contentType, head, line } = formats[format];
  async function* text() {
    if (head) yield head;
    for await (const { rows } of search(db, sought, { ts: sought.end, id: '' }, rowsAtOnce)) {
      if (rows.length > 0) yield rows.map(row => line(row, sought.stream)).join('');
    }
  }
  const [from, to] = [sought.begin, sought.end].map(time => time.toISOString().slice(0, 10));
  const name = `${sought.stream}-log-${sought.subject ?? sought.projectId}`;
  const filename = `${name}-${from}-${to}.${format}`;
  return { contentType, filename, body: Readable.from(text(), { objectMode: false }) };
}

/**
 * What the hash of an entry covers, if that differs from what is shown: the entry contains names that can be erased.
 */
function sealedParts(row: EntryRow, stream: Sought['stream']) {
  if (stream !== 'audit' || row.names === null) return {};
  const { actor, text, detail } = toSealed(row);
  return { sealed: { actor, text, detail } };
}

function toCsv({ id, ts, level, actor, action, text, detail }: LogEntry): string {
  const who = [actor.callerType, actor.id, actor.displayName, actor.bySudoer ? 'true' : ''];
  return csvLine([
    ts,
    logLevels[level] ?? String(level),
    action,
    text,
    ...who,
    JSON.stringify(detail ?? {}),
    id,
    actor.tokenName ?? '',
  ]);
}
