import type { LogEntry } from '#contract/log.ts';
import { Problem } from '#contract/problem.ts';
import type { Database } from '#server/db/sql.ts';
import { timeRange } from '#server/http/timeRange.ts';
import { search } from '#server/logs/search.ts';
import { type EntryRow, type Place, placeOf, type Sought, toEntry } from '#server/logs/store.ts';

const entriesDefault = 100;
const rangeDaysMax = 400;
/** How long a search may take. Only words of less than four letters, which no index helps with, ever need as much. */
const searchTimeMs = 1_500;

export interface Found {
  entries: LogEntry[];
  /** Set when the time was up: what is older was not looked at. */
  searchedTo?: Date;
}

interface Asked {
  begin: string;
  end: string;
  actor?: string | undefined;
  action?: string | undefined;
  text?: string | undefined;
  level?: number | undefined;
}

/** In which log: of a project, or of what `subject`, `app` or `proxyRoute` names in it. */
export type Log = Pick<Sought, 'projectId' | 'stream' | 'subject' | 'app' | 'proxyRoute' | 'named'>;

export function soughtIn(log: Log, asked: Asked): Sought {
  const { begin, end } = timeRange(asked, rangeDaysMax);
  const { actor, action, text, level } = asked;
  return {
    ...{ ...log, begin, end, level },
    actor: actor || undefined,
    action: action || undefined,
    text: text || undefined,
  };
}

/** The newest entries that are sought, or those after a given one. */
export async function readEntries(
  db: Database,
  sought: Sought,
  { after, maxEntries = entriesDefault }: { after?: string | undefined; maxEntries?: number | undefined },
  timeMs = searchTimeMs,
): Promise<Found> {
  const start = startOf(sought, after);
  const stopAt = performance.now() + timeMs;
  const rows: EntryRow[] = [];
  for await (const step of search(db, sought, start, maxEntries)) {
    rows.push(...step.rows);
    if (rows.length >= maxEntries) break;
    const cut = cutAt(step.searchedTo);
    if (performance.now() > stopAt && cut > sought.begin && cut < start.ts)
      return { entries: rows.filter(({ ts }) => ts >= cut).map(toEntry), searchedTo: cut };
  }
  return { entries: rows.slice(0, maxEntries).map(toEntry) };
}

function startOf(sought: Sought, after: string | undefined): Place {
  const end = { ts: sought.end, id: '' };
  if (after === undefined) return end;
  const place = placeOf(after);
  if (!place) throw new Problem('INVALID_FIELDS', { fields: { after: 'INVALID' } });
  return place.ts < end.ts ? place : end;
}

/** A search goes on with this as its `end`: entries of one millisecond are not torn apart. */
function cutAt({ ts, id }: Place): Date {
  return id === '' ? ts : new Date(ts.getTime() + 1);
}
