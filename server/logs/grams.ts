// What a block of entries is looked up by: every piece of four letters that its entries hold, their actors, actions and
// levels, and the log they are of, hashed into 65,536 slots. A block that holds what is sought has all of its slots; one
// that has them all need not hold it, so its entries are read. Any four characters make a piece, so that addresses and
// ids are found by their parts; of scripts whose letters are words or syllables two make one as well. Pieces of three
// hexadecimal digits would be in every block, whatever is in it: there are only 4,096 of them.

const slots = 65_536;
/** As many as tell blocks apart; more would only be more to look up. */
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

  /** `words` as the database lowers them: `lower()` of JavaScript differs for a few letters. */
  add(words: string, { actor, action, level = 0 }: Facts): void {
    for (const slot of slotsOfText(words)) this.#set[slot] = 1;
    const facts = [`actor ${actor}`, `action ${action}`, ...graver.filter(n => n >= level).map(levelFact)];
    for (const slot of facts.flatMap(slotsOfFact)) this.#set[slot] = 1;
  }

  /** As an array of PostgreSQL's `smallint`, which is signed. */
  toArray(): string {
    const signed: number[] = [];
    for (let slot = 0; slot < slots; slot++) if (this.#set[slot]) signed.push(slot - slots / 2);
    return `{${signed.join(',')}}`;
  }
}

/**
 * The slots a block must have; undefined when that tells nothing, because too few letters are looked for. What stands
 * escaped in JSON is left out.
 */
export function wantedGrams(
  projectId: string,
  words: string | undefined,
  { actor, action, level }: Facts,
): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what JSON escapes
  const pieces = words?.split(/["\\\u0000-\u001f]/) ?? [];
  const wanted = [
    ...(actor === undefined ? [] : slotsOfFact(`actor ${actor}`)),
    ...(action === undefined ? [] : slotsOfFact(`action ${action}`)),
    ...(level === undefined ? [] : slotsOfFact(levelFact(level))),
    // Ids begin alike and differ at their ends.
    ...pieces.flatMap(piece => [...slotsOfText(piece)]).slice(-wantedMax),
  ];
  if (wanted.length === 0) return undefined;
  // Other logs say the same words.
  wanted.push(...slotsOfFact(`log ${projectId}`));
  return `{${[...new Set(wanted)].map(slot => slot - slots / 2).join(',')}}`;
}

/** An entry of level 1 is among those of level 2 and graver. */
const levelFact = (level: number) => `level ${level}`;

const size = 4;
/** From here on come the scripts of East Asia. */
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

/** Six slots: one alone would be set by chance in every fourth block. */
function slotsOfFact(fact: string): number[] {
  let hash = 2;
  for (let i = 0; i < fact.length; i++) hash = hashed(hash, fact.charCodeAt(i));
  return [1, 2, 3, 4, 5, 6].map(n => slotOf(hashed(hash, n)));
}

/** FNV-1a, a step. */
const hashed = (hash: number, code: number) => Math.imul(hash ^ code, 0x01000193);

/** The finish of MurmurHash3, so that every bit counts in the upper ones. */
function slotOf(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return Math.imul(once ^ (once >>> 13), 0xc2b2ae35) >>> 16;
}
