import { Problem } from '#contract/problem.ts';
import { type Timeline, type TimelineItem, type TimelineKind, timelineKinds } from '#contract/timeline.ts';
import type { Database } from '#server/infra/db/sql.ts';
import { sources } from './sources.ts';

interface Asked {
  projectId: string;
  deviceId: string;
  begin: Date;
  end: Date;
  kinds: readonly TimelineKind[];
  maxEntries: number;
  after?: string | undefined;
}

/** A place among all items: they are ordered by time, then as the kinds are listed, then by id. */
interface Place {
  at: Date;
  kind: number;
  id: string;
}

/** After every id. */
const lastId = '\uffff';

/** The newest items of all sources: each is asked for as many as the page holds, so that none is missing. */
export async function timelineOf(db: Database, asked: Asked): Promise<Timeline> {
  const { kinds, maxEntries, end } = asked;
  const place = asked.after === undefined ? undefined : placeIn(asked.after);
  const start = place && place.at < end ? place : { at: new Date(end.getTime() - 1), kind: -1, id: '' };
  const found = await Promise.all(
    [...new Set(kinds)].map(kind =>
      sources[kind](db, { ...asked, before: beforeOf(kind, start), limit: maxEntries + 1 }),
    ),
  );
  const until = Math.max(0, ...found.map(one => ('until' in one && one.until ? one.until.getTime() : 0)));
  const items = found
    .flatMap(one => ('items' in one ? one.items : one))
    .filter(({ at }) => Date.parse(at) > until)
    .sort(inOrder);
  const page = items.slice(0, maxEntries);
  const last = page.at(-1);
  if (items.length > maxEntries && last) return { items: page, next: nameOf(last) };
  return { items: page, ...(until > 0 && { next: `${until}.-1.` }) };
}

/** Kinds that come later still have all their items of that millisecond; those that came earlier have none left. */
function beforeOf(kind: TimelineKind, { at, kind: reached, id }: Place): { at: Date; id: string } {
  const own = timelineKinds.indexOf(kind);
  if (own === reached) return { at, id };
  return { at, id: own > reached ? lastId : '' };
}

function inOrder(a: TimelineItem, b: TimelineItem): number {
  const byKind = timelineKinds.indexOf(a.kind) - timelineKinds.indexOf(b.kind);
  return b.at.localeCompare(a.at) || byKind || (a.id < b.id ? 1 : -1);
}

const nameOf = ({ at, kind, id }: TimelineItem) => `${Date.parse(at)}.${timelineKinds.indexOf(kind)}.${id}`;

function placeIn(after: string): Place {
  const [, ms, kind, id] = /^(\d{1,15})\.(-1|[0-6])\.([\w ]{0,100})$/.exec(after) ?? [];
  if (ms === undefined || id === undefined)
    throw new Problem('INVALID_FIELDS', { fields: { after: 'INVALID' } });
  return { at: new Date(Number(ms)), kind: Number(kind), id };
}
