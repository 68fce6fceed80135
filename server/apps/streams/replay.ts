import { setTimeout as pause } from 'node:timers/promises';
import { Turns } from '#rules/turns.ts';
import type { Frame } from '#server/api/http/frame.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { type Cursor, cursorText } from '#server/people/homeEvents/eventCursor.ts';
import { type HomeEvent, readPast, writtenAtS } from '#server/people/homeEvents/readHomeEvents.ts';
import { frameOf } from './eventFrame.ts';
import type { Stream } from './stream.ts';
import { withoutOldStates } from './withoutOldStates.ts';

/** Rows per page: with the largest content, this takes some megabytes for a moment. */
const pageMax = 50;
/** A reader must have read most of a page before it gets the next one. */
const readOn = { belowBytes: 64 * 1024, everyMs: 2, promptMs: 200, giveUpMs: 30_000 };
/** After a restart all clients reconnect at once, and the database has other work as well. */
const turns = new Turns(8);

interface Past {
  db: Db;
  cluster: string;
  maySee: (event: HomeEvent) => boolean;
}

/** Sends a stream the events between two cursors that its user may see today. */
export async function replay(
  stream: Stream,
  window: Omit<Cursor, 'atS'>,
  { sinceS, nowS }: { sinceS: number; nowS: number },
  past: Past,
): Promise<void> {
  let { seq } = window;
  while (!stream.isOver) {
    const { projectId, userId } = stream.listener;
    const { onlyHome } = stream;
    const audience = { projectId, userId, homeIds: [...stream.homes], onlyHome };
    const rows = await turns.take(() =>
      readPast(past.db, { ...window, seq }, audience, { sinceS, nowS, max: pageMax }),
    );
    const isTold = await sendUntilFull(stream, withoutOldStates(rows), row => {
      seq = BigInt(row.seq);
      // Not the current time, so that a client that is cut off meanwhile continues from this event.
      return framed(row, { ...window, atS: writtenAtS(row, { sinceS, nowS }) }, stream, past);
    });
    if (isTold) seq = BigInt(rows.at(-1)?.seq ?? seq);
    if (isTold && rows.length < pageMax) return;
    if (!(await hasRoom(stream, readOn.giveUpMs))) stream.end('lagging');
  }
}

/** False if the reader is slow. The remaining rows are read again later, instead of waiting in memory. */
async function sendUntilFull<Row extends HomeEvent>(
  stream: Stream,
  rows: readonly Row[],
  toFrame: (row: Row) => Frame | undefined,
): Promise<boolean> {
  for (const row of rows) {
    if (!(await hasRoom(stream, readOn.promptMs))) return false;
    const frame = toFrame(row);
    if (frame) stream.send(frame);
  }
  return true;
}

function framed(row: HomeEvent, at: Cursor, stream: Stream, { cluster, maySee }: Past): Frame | undefined {
  if (!stream.wants(row) || (row.userId === null && !maySee(row))) return undefined;
  return frameOf(row, cursorText({ ...at, seq: BigInt(row.seq) }, cluster));
}

/** Waits, up to a limit, until the reader has read most of what was sent. */
async function hasRoom(stream: Stream, withinMs: number): Promise<boolean> {
  const untilMs = performance.now() + withinMs;
  while (!stream.isOver && stream.waitingBytes > readOn.belowBytes) {
    if (performance.now() > untilMs) return false;
    await pause(readOn.everyMs);
  }
  return true;
}
