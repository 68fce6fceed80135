// A search index for blocks of entries: every 4-gram of their text, their actors, actions, levels and log,
// hashed into 65,536 slots (a Bloom filter with one hash). A block that contains a match has all slots of the
// query; the reverse need not be true, so its entries are still checked. Any four characters form a gram, so
// parts of addresses and ids can be found; in scripts whose characters are words or syllables, two characters
// form one as well. Trigrams would not work: there are only 4,096 of hexadecimal digits, so every block would
// contain them all.

const slots = 65_536;
/** Enough slots to narrow down a search; more would only take longer. */
const wantedMax = 16;

export interface Facts {
  actor?: string | undefined;
  action?: string | undefined;
  level?: number | undefined;
}

const graver = [0, 1, 2, 3];

/** Collects the slots of a block. */
export class Grams {
  readonly #set = new Uint8Array(slots);

  constructor(projectId: string) {
    for (const slot of slotsOfFact(`log ${projectId}`)) this.#set[slot] = 1;
  }

  /**
   * `words` must be converted to lower case by the database, because `lower()` in JavaScript differs for a few letters.
   */
  add(words: string, { actor, action, level = 0 }: Facts): void {
    for (const slot of slotsOfText(words)) this.#set[slot] = 1;
    const facts = [`actor ${actor}`, `action ${action}`, ...graver.filter(n => n >= level).map(levelFact)];
    for (const slot of facts.flatMap(slotsOfFact)) this.#set[slot] = 1;
  }

  /** As a PostgreSQL array of `smallint`, which is signed. */
  toArray(): string {
    const signed: number[] = [];
    for (let slot = 0; slot < slots; slot++) if (this.#set[slot]) signed.push(slot - slots / 2);
    return `{${signed.join(',')}}`;
  }
}

/**
 * The slots that a matching block must have; undefined if the query is too short. Skips characters that JSON escapes.
 */
export function wantedGrams(
  projectId: string,
  words: string | undefined,
  { actor, action, level }: Facts,
): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes these characters
  const pieces = words?.split(/["\\\u0000-\u001f]/) ?? [];
  const wanted = [
    ...(actor === undefined ? [] : slotsOfFact(`actor ${actor}`)),
    ...(action === undefined ? [] : slotsOfFact(`action ${action}`)),
    ...(level === undefined ? [] : slotsOfFact(levelFact(level))),
    // Ids share their prefix and differ at the end.
    ...pieces.flatMap(piece => [...slotsOfText(piece)]).slice(-wantedMax),
  ];
  if (wanted.length === 0) return undefined;
  // Restricts the search to this log, because others contain the same words.
  wanted.push(...slotsOfFact(`log ${projectId}`));
  return `{${[...new Set(wanted)].map(slot => slot - slots / 2).join(',')}}`;
}

/** An entry of level 1 also matches a search for level 2 and more severe. */
const levelFact = (level: number) => `level ${level}`;

const size = 4;
/** East Asian scripts start here. */
const firstWide = 0x2e80;

function* slotsOfText(text: string): Generator<number> {
  for (let i = 0; i < text.length; i++) {
    const [code, next] = [text.charCodeAt(i), text.charCodeAt(i + 1)];
    if (code >= firstWide && next >= firstWide) yield slotOf(hashed(hashed(0, code), next));
    if (i + size > text.length) continue;
    let hash = hashed(hashed(1, code), next);
    hash = hashed(hashed(hash, text.charCodeAt(i + 2)), text.charCodeAt(i + 3));
    yield slotOf(hash);
  }
}

/** Six slots, because a single one would be set by chance in every fourth block. */
function slotsOfFact(fact: string): number[] {
  let hash = 2;
  for (let i = 0; i < fact.length; i++) hash = hashed(hash, fact.charCodeAt(i));
  return [1, 2, 3, 4, 5, 6].map(n => slotOf(hashed(hash, n)));
}

/** One step of FNV-1a. */
const hashed = (hash: number, code: number) => Math.imul(hash ^ code, 0x01000193);

/** The finalizer of MurmurHash3, which mixes all bits into the upper ones. */
function slotOf(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return Math.imul(once ^ (once >>> 13), 0xc2b2ae35) >>> 16;
}
