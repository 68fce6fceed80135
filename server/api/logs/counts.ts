import { logLevels } from '#contract/log.ts';
import { countedEntriesMax, type LogCounts } from '#contract/logCounts.ts';
import { type Database, sql } from '#server/infra/db/sql.ts';
import { conditions, inRange, type Place, placeAfter, type Sought } from './store.ts';

interface Counted {
  part: number;
  level: number;
  entries: number;
  hits: number;
}

/**
 * Counts a log by time and level. The range is cut to its newest entries first, which an index answers: a filter that
 * matches nothing does not read the whole log.
 */
export async function countEntries(
  db: Database,
  sought: Sought,
  parts: number,
  entriesMax = countedEntriesMax,
): Promise<LogCounts> {
  const { begin, end, text, level, named, ...facts } = sought;
  const all = { from: { ts: begin, id: '' }, before: { ts: end, id: '' } };
  const cut = await placeAfter(db, sought, all, entriesMax);
  const range = { ...all, from: cut ?? all.from };
  const stepMs = Math.max(1, Math.ceil((end.getTime() - begin.getTime()) / parts));
  const rows = await db.search<Counted>(sql`
    select floor((extract(epoch from e.ts) * 1000 - ${begin.getTime()}) / ${stepMs})::integer as part, e.level,
      count(*)::integer as entries,
      (count(*) filter (where true ${conditions({ ...sought, actor: undefined, action: undefined })}))::integer as hits
    from log_entries e
    where ${inRange(sought, range)} ${conditions({ ...facts, begin, end })}
    group by 1, 2 order by 1`);
  return {
    levels: byLevel(rows),
    hits: rows.reduce((sum, { hits }) => sum + hits, 0),
    stepMs,
    parts: [...new Set(rows.map(({ part }) => part))].map(part => ({
      begin: new Date(begin.getTime() + part * stepMs).toISOString(),
      levels: byLevel(rows.filter(row => row.part === part)),
    })),
    ...((await isOlder(db, sought, cut)) && cut && { countedFrom: cut.ts.toISOString() }),
  };
}

/** Whether there is anything before the counted entries. */
async function isOlder(db: Database, sought: Sought, cut: Place | undefined): Promise<boolean> {
  if (!cut) return false;
  const older = await placeAfter(db, sought, { from: { ts: sought.begin, id: '' }, before: cut }, 1);
  return older !== undefined;
}

function byLevel(rows: readonly Counted[]): number[] {
  const entries = logLevels.map(() => 0);
  for (const row of rows) entries[row.level] = (entries[row.level] ?? 0) + row.entries;
  return entries;
}
