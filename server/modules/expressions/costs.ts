import { isKnownPattern } from './language.ts';
import type { Meter } from './meter.ts';

type Charge = (meter: Meter, args: readonly unknown[]) => void;

const itemBytes = 16;
const pieceBytes = 48;
const entryBytes = 96;
/** Number of characters compared or searched in the time of one step. */
const charsPerStep = 64;
const durationMax = 64;
/** Reading the clock of a time zone creates a formatter each time. */
const zonedSteps = 2_000;
/** For each key of an object that is listed. */
const keySteps = 6;
/** For each character of a pattern that is compiled. */
const patternSteps = 200;

const free: Charge = () => undefined;
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
/** Of a text, bytes or a list. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array) return value.length;
  return value instanceof Map || value instanceof Set ? value.size : 0;
}

/** A result whose size is in proportion to that of the first argument. */
const perLength =
  (bytes: number): Charge =>
  (meter, [value]) => {
    meter.steps(1 + lengthOf(value) / charsPerStep);
    meter.bytes(bytes * lengthOf(value));
  };

/** A search compares at most each character with each character. */
const search: Charge = (meter, [text, sought]) => {
  const [long, short] = [lengthOf(text), lengthOf(sought)];
  meter.steps(1 + (long * Math.max(1, Math.min(long, short))) / charsPerStep);
};

const zoned: Charge = (meter, args) => {
  if (args.length < 2) return;
  meter.steps(zonedSteps);
  meter.bytes(zonedSteps * itemBytes);
};

const size: Charge = (meter, [value]) => {
  if (typeof value === 'string') meter.steps(value.length / 8);
  else if (isPlain(value)) keys(meter, value);
};

const split: Charge = (meter, args) => {
  const [text, separator] = args.map(textOf) as [string, string];
  search(meter, args);
  meter.bytes(pieceBytes * (1 + (separator === '' ? text.length : occurrences(text, separator))));
};

function occurrences(text: string, sought: string): number {
  let count = 0;
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + sought.length)) count++;
  return count;
}

const join: Charge = (meter, [list, separator]) => {
  if (!Array.isArray(list)) return;
  meter.steps(list.length);
  let length = lengthOf(separator) * Math.max(0, list.length - 1);
  for (const item of list) length += lengthOf(item);
  meter.bytes(2 * length);
};

/** A short text of JSON can contain many objects. */
const json: Charge = (meter, [bytes]) => {
  meter.steps(lengthOf(bytes));
  meter.bytes(entryBytes * lengthOf(bytes));
};

const duration: Charge = (_, [text]) => {
  if (lengthOf(text) > durationMax) throw new Error(`A duration can have at most ${durationMax} characters`);
};

/** The text is charged while it is matched; this is for a pattern that is not known yet. */
const fits: Charge = (meter, [, pattern]) => {
  meter.steps(1);
  if (typeof pattern !== 'string' || isKnownPattern(pattern)) return;
  meter.steps(patternSteps * (10 + pattern.length));
  meter.bytes(entryBytes * pattern.length);
};

/** By the name of a function or macro. One that is not listed cannot be called. */
export const callCharges: Readonly<Record<string, Charge>> = {
  dyn: free,
  type: free,
  timestamp: free,
  has: free,
  at: free,
  mean: free,
  min: free,
  max: free,
  // The loops themselves are charged for each item.
  all: free,
  exists: free,
  exists_one: free,
  map: free,
  filter: free,
  bind: free,
  bool: perLength(1),
  double: perLength(4),
  int: perLength(2),
  uint: perLength(2),
  string: perLength(4),
  bytes: perLength(3),
  hex: perLength(2),
  base64: perLength(2),
  trim: perLength(2),
  lowerAscii: perLength(6),
  upperAscii: perLength(6),
  startsWith: perLength(0),
  endsWith: perLength(0),
  contains: search,
  indexOf: search,
  lastIndexOf: search,
  substring: (meter: Meter) => meter.bytes(pieceBytes),
  size,
  split,
  join,
  json,
  duration,
  fits,
  getDate: zoned,
  getDayOfMonth: zoned,
  getDayOfWeek: zoned,
  getDayOfYear: zoned,
  getFullYear: zoned,
  getHours: zoned,
  getMilliseconds: zoned,
  getMinutes: zoned,
  getMonth: zoned,
  getSeconds: zoned,
};

export function chargeOperator(meter: Meter, sign: string, left: unknown, right: unknown): void {
  if (typeof left === 'number' && typeof right !== 'object') return;
  chargeType(meter, left);
  chargeType(meter, right);
  if (sign === '+') {
    const length = lengthOf(left) + lengthOf(right);
    meter.bytes(length * (Array.isArray(left) ? itemBytes : 2));
    return;
  }
  if (sign === 'in') {
    if (isPlain(right)) return;
    meter.steps(lengthOf(right));
    if (typeof left === 'object' && left !== null) walk(meter, right);
    else if (typeof left === 'string') meter.steps((lengthOf(right) * left.length) / charsPerStep);
    return;
  }
  if (typeof left === 'string' && typeof right === 'string')
    meter.steps(Math.min(left.length, right.length) / charsPerStep);
  else if (typeof left === 'object' && typeof right === 'object') compare(meter, left, right);
}

/** Values of different sizes are not compared in their parts. */
function compare(meter: Meter, left: unknown, right: unknown): void {
  if (isPlain(left)) keys(meter, left);
  if (isPlain(right)) keys(meter, right);
  const isSame =
    isPlain(left) && isPlain(right)
      ? keysOf(left).count === keysOf(right).count
      : lengthOf(left) === lengthOf(right);
  if (isSame) walk(meter, left);
}

export const chargeList = (meter: Meter, items: number) => meter.bytes(itemBytes * items);
export const chargeMap = (meter: Meter, entries: number) => meter.bytes(entryBytes * entries);
export const chargeItem = (meter: Meter) => meter.bytes(itemBytes);

/** Iterating over a map lists its keys. */
export function chargeRange(meter: Meter, range: unknown): void {
  if (isPlain(range)) keys(meter, range);
}

/** To choose a function, the library looks for the first key of each object, for which it lists all of them. */
export function chargeType(meter: Meter, value: unknown): void {
  for (let inner = value; typeof inner === 'object' && inner !== null; ) {
    meter.steps(1);
    if (Array.isArray(inner)) inner = inner[0];
    else if (!isPlain(inner)) return;
    else {
      const { count, first } = keysOf(inner);
      meter.steps(keySteps * count);
      inner = first === undefined ? undefined : inner[first];
    }
  }
}

function keys(meter: Meter, value: object): void {
  const { count } = keysOf(value);
  meter.steps(keySteps * count);
  meter.bytes(itemBytes * count);
}

/** Listing the keys takes about as long as counting them, so they are counted once. */
function keysOf(value: object): { count: number; first: string | undefined } {
  const known = knownKeys.get(value);
  if (known) return known;
  const all = Object.keys(value);
  const counted = { count: all.length, first: all[0] };
  knownKeys.set(value, counted);
  return counted;
}

const knownKeys = new WeakMap<object, { count: number; first: string | undefined }>();

/** Comparing values compares all of their parts. */
function walk(meter: Meter, value: unknown): void {
  meter.steps(1 + (typeof value === 'string' ? value.length / charsPerStep : 0));
  if (Array.isArray(value)) for (const item of value) walk(meter, item);
  else if (value instanceof Uint8Array) meter.steps(value.length);
  else if (isPlain(value)) {
    keys(meter, value);
    for (const key in value) walk(meter, value[key]);
  }
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null);
