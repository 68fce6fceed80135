import type { LogEntry } from '#contract/log.ts';
import { Problem } from '#contract/problem.ts';
import { timeRange } from '#server/api/http/timeRange.ts';
import { search } from '#server/api/logs/search.ts';
import {
  type EntryRow,
  entriesBefore,
  entriesFrom,
  type Place,
  placeOf,
  type Sought,
  toEntry,
} from '#server/api/logs/store.ts';
import type { Database } from '#server/infra/db/sql.ts';

const entriesDefault = 100;
const nearDefault = 7;
const rangeDaysMax = 400;
/** Time limit for a search. Only words of fewer than four letters, for which no index helps, ever take this long. */
const searchTimeMs = 1_500;

export interface Found {
  entries: LogEntry[];
  /** Set if the time was up: older entries were not searched. */
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

/** Which log: of a project, or of what `subject`, `app` or `proxyRoute` names in it. */
export type Log = Pick<Sought, 'projectId' | 'stream' | 'subject' | 'app' | 'proxyRoute' | 'named'>;

export function soughtIn(log: Log, asked: Asked): Sought {
  const { begin, end } = timeRange(asked, rangeDaysMax);
  const { actor, action, text, level } = asked;
  return {
    ...log,
    begin,
    end,
    level,
    actor: actor || undefined,
    action: action || undefined,
    text: text || undefined,
  };
}

/** Returns the newest matching entries, or those after a given entry. */
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

/** Returns an entry and its neighbours, newest first; those of an entry that was deleted remain. */
export async function readNear(
  db: Database,
  { begin, end, ...log }: Sought,
  { near, maxEntries = nearDefault }: { near: string; maxEntries?: number | undefined },
): Promise<LogEntry[]> {
  const { projectId, stream, subject, app, proxyRoute } = log;
  const all = { projectId, stream, subject, app, proxyRoute, begin, end };
  const place = placeNamed(near, 'near');
  const older = Math.floor((maxEntries - 1) / 2);
  const newest = await entriesFrom(db, all, { from: place, before: { ts: end, id: '' } }, maxEntries - older);
  const oldest =
    older && (await entriesBefore(db, all, { from: { ts: begin, id: '' }, before: place }, older));
  return [...newest.toReversed(), ...(oldest || [])].map(toEntry);
}

function startOf(sought: Sought, after: string | undefined): Place {
  const end = { ts: sought.end, id: '' };
  if (after === undefined) return end;
  const place = placeNamed(after, 'after');
  return place.ts < end.ts ? place : end;
}

function placeNamed(id: string, field: 'after' | 'near'): Place {
  const place = placeOf(id);
  if (!place) throw new Problem('INVALID_FIELDS', { fields: { [field]: 'INVALID' } });
  return place;
}

/** The `end` with which a search continues, chosen so that entries of the same millisecond are not split. */
function cutAt({ ts, id }: Place): Date {
  return id === '' ? ts : new Date(ts.getTime() + 1);
}
