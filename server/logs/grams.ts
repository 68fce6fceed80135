// What a block of entries is looked up by: every piece of three letters that its entries hold, and every actor, action
// and level, hashed into 65,536 slots. A block that holds what is sought has all of its slots; one that has them all
// need not hold it, so its entries are read. Any three characters make a piece, so that addresses and ids are found by
// their parts in any script.

const slots = 65_536;
/** As many as tell blocks apart; more would only be more to look up. */
const wantedMax = 32;

export interface Facts {
  actor?: string | undefined;
  action?: string | undefined;
  level?: number | undefined;
}

const graver = [0, 1, 2, 3];

/** Collects the slots of a block. */
export class Grams {
  readonly #set = new Uint8Array(slots);

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
 * The slots a block must have; undefined when that tells nothing, because less than three letters are looked for. What
 * stands escaped in JSON is left out.
 */
export function wantedGrams(words: string | undefined, { actor, action, level }: Facts): string | undefined {
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
  return `{${[...new Set(wanted)].map(slot => slot - slots / 2).join(',')}}`;
}

/** An entry of level 1 is among those of level 2 and graver. */
const levelFact = (level: number) => `level ${level}`;

function* slotsOfText(text: string): Generator<number> {
  for (let i = 2; i < text.length; i++) {
    const code = Math.imul(text.charCodeAt(i - 2), 0x9e3779b1) ^ text.charCodeAt(i - 1);
    yield Math.imul(Math.imul(code, 0x85ebca6b) ^ text.charCodeAt(i), 0xc2b2ae35) >>> 16;
  }
}

/** Three slots: one alone would be set by chance in every tenth block. */
function slotsOfFact(fact: string): number[] {
  let hash = 0x811c9dc5;
  for (let i = 0; i < fact.length; i++) hash = Math.imul(hash ^ fact.charCodeAt(i), 0x01000193);
  return [1, 2, 3].map(n => Math.imul(hash ^ (hash >>> 15), 0x85ebca6b * n + n) >>> 16);
}
