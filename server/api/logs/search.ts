import { dayMs } from '#rules/time/durations.ts';
import type { Database } from '#server/infra/db/sql.ts';
import { spansBetween, unblockedFrom, wantedOf } from './blocks.ts';
import { type EntryRow, entriesBefore, type Place, placeAfter, type Sought } from './store.ts';

/** A step of a search: the matches found, newest first, and the time down to which the search is complete. */
export interface Step {
  rows: EntryRow[];
  searchedTo: Place;
}

interface Range {
  from: Place;
  before: Place;
}

/** Entries scanned per statement, starting small so that frequent matches are found at once. */
const stepMin = 500;
const stepMax = 8_000;

/** Frequent matches are found in the first step, without querying the blocks. */
const windowsDays = [2, 30, 100_000];

/**
 * Searches a log from a position, newest first, in bounded steps; callers stop when they have enough. Recent
 * entries outside any block are scanned; older ones only in blocks that may match.
 */
export async function* search(
  db: Database,
  sought: Sought,
  before: Place,
  rowsMax: number,
): AsyncGenerator<Step> {
  const begin: Place = { ts: sought.begin, id: '' };
  const all = { from: begin, before };
  const { actor, action, text, level } = sought;
  if ([actor, action, text, level].every(one => one === undefined))
    return yield* pages(db, sought, all, rowsMax);
  const wanted = sought.stream === 'audit' ? await wantedOf(db, sought) : undefined;
  const blocked = wanted === undefined ? undefined : await unblockedFrom(db, sought.projectId);
  if (wanted === undefined || blocked === undefined) return yield* walk(db, sought, all, rowsMax);
  const unblocked = earlier({ ts: blocked, id: '' }, before);
  if (unblocked.ts <= begin.ts) return yield* walk(db, sought, all, rowsMax);
  yield* walk(db, sought, { from: unblocked, before }, rowsMax);
  yield* throughBlocks(db, sought, { from: begin, before: unblocked }, { wanted, rowsMax });
}

/** Without a filter, the next page is simply the next rows. */
async function* pages(db: Database, sought: Sought, range: Range, rowsMax: number): AsyncGenerator<Step> {
  let { before } = range;
  for (;;) {
    const rows = await entriesBefore(db, sought, { ...range, before }, rowsMax);
    const last = rows.at(-1);
    before = last && rows.length === rowsMax ? placeOfRow(last) : range.from;
    yield { rows, searchedTo: before };
    if (rows.length < rowsMax) return;
  }
}

/** Scans every entry. */
async function* walk(db: Database, sought: Sought, range: Range, rowsMax: number): AsyncGenerator<Step> {
  let { before } = range;
  for (let step = stepMin; ; step = Math.min(step * 2, stepMax)) {
    const end = await placeAfter(db, sought, { ...range, before }, step);
    for await (const found of pages(db, sought, { from: end ?? range.from, before }, rowsMax)) yield found;
    if (!end) return;
    // `from` was already read.
    before = end;
  }
}

/** Finds blocks that may match, first of the last days and then of the rest, and scans them. */
async function* throughBlocks(
  db: Database,
  sought: Sought,
  range: Range,
  { wanted, rowsMax }: { wanted: string; rowsMax: number },
): AsyncGenerator<Step> {
  let { before } = range;
  for (const days of windowsDays) {
    if (before.ts <= range.from.ts) return;
    const from = later({ ts: new Date(before.ts.getTime() - days * dayMs), id: '' }, range.from);
    const spans = await spansBetween(db, sought.projectId, wanted, { from: from.ts, to: before.ts });
    for (const span of spans) {
      const part = {
        from: later({ ts: span.from, id: '' }, from),
        before: earlier({ ts: new Date(span.to.getTime() + 1), id: '' }, before),
      };
      yield* walk(db, sought, part, rowsMax);
    }
    before = from;
    yield { rows: [], searchedTo: before };
  }
}

const placeOfRow = ({ ts, id }: EntryRow): Place => ({ ts, id });

function earlier(a: Place, b: Place): Place {
  return a.ts < b.ts || (a.ts.getTime() === b.ts.getTime() && a.id < b.id) ? a : b;
}

function later(a: Place, b: Place): Place {
  return earlier(a, b) === a ? b : a;
}
