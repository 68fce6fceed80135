import { streamBounds } from '#contract/appApi/stream.ts';

/**
 * How far a reader of home events is: it has all of the transactions before `from`, and of those before `to` all up to the
 * number `seq`. Transactions alone would not do, since two that wait for each other end in another order than they began;
 * numbers alone would not do, since a lower one can become visible after a higher.
 */
export interface Cursor {
  from: bigint;
  to: bigint;
  seq: bigint;
  /** When it was made, by the clock of the database, in seconds. */
  atS: number;
}

/** What the database says of itself: its clock, the next transaction, and what tells it from one that was restored. */
export interface DatabaseNow {
  atS: number;
  nextTx: bigint;
  cluster: string;
}

const radix = 36;
const replayS = streamBounds.replayHours * 3600;

export function cursorText({ from, to, seq, atS }: Cursor, cluster: string): string {
  return `${[from, to, seq, BigInt(atS)].map(part => part.toString(radix)).join('-')}-${cluster}`;
}

/** Undefined: none of ours, of another database, or so old that what came after it is not all there any more. */
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
