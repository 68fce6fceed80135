import { streamLimits } from '#rules/apps/streamLimits.ts';
import { hourS } from '#rules/time/durations.ts';

/**
 * How far a reader of home events has read: all rows of transactions before `from`, and of the transactions from there
 * up to `to` all rows with a number up to `seq`. Transaction ids alone are not enough, because two transactions that
 * wait for each other can end in a different order than they began. Numbers alone are not enough, because a lower
 * number can become visible after a higher one.
 */
export interface Cursor {
  from: bigint;
  to: bigint;
  seq: bigint;
  /** When the cursor was created, by the clock of the database, in seconds. */
  atS: number;
}

/**
 * What the database reports about itself: its clock, the next transaction id, and a value that distinguishes it from a
 * restored copy.
 */
export interface DatabaseNow {
  atS: number;
  nextTx: bigint;
  cluster: string;
}

const radix = 36;
const replayS = streamLimits.replayHours * hourS;

export function cursorText({ from, to, seq, atS }: Cursor, cluster: string): string {
  return `${[from, to, seq, BigInt(atS)].map(part => part.toString(radix)).join('-')}-${cluster}`;
}

/**
 * Undefined if the text is not one of our cursors, comes from another database, or is so old that some of the events
 * after it have been deleted.
 */
export function parseCursor(text: string, { atS: nowS, nextTx, cluster }: DatabaseNow): Cursor | undefined {
  const parts = /^([0-9a-z]{1,13})-([0-9a-z]{1,13})-([0-9a-z]{1,13})-([0-9a-z]{1,8})-([0-9a-z]*)$/.exec(text);
  if (!parts || parts[5] !== cluster) return undefined;
  const [from = 0n, to = 0n, seq = 0n, at = 0n] = parts.slice(1, 5).map(toBigInt);
  const atS = Number(at);
  if (from > to || to > nextTx || atS > nowS + 1 || atS < nowS - replayS) return undefined;
  return { from, to, seq, atS };
}

function toBigInt(digits: string): bigint {
  return [...digits].reduce((sum, digit) => sum * BigInt(radix) + BigInt(Number.parseInt(digit, radix)), 0n);
}
