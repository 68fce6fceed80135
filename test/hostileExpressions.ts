import type { Given } from '#server/modules/expressions/given.ts';

type Random = () => number;

/** A generator of random numbers that repeats with its seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A condition that uses any functions of the language, nested, on values at the limits of their sizes. */
export function hostileExpression(random: Random, depth = 1 + Math.floor(random() * 4)): string {
  return new Writer(random).bool(depth);
}

type Kind = 'text' | 'list' | 'number' | 'bool' | 'map' | 'bytes' | 'time' | 'duration';

class Writer {
  readonly #random: Random;
  #loops = 0;
  #isInLoop = false;

  constructor(random: Random) {
    this.#random = random;
  }

  bool(depth: number): string {
    return this.#any('bool', depth);
  }

  #pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)] as T;
  }

  #any(kind: Kind, depth: number): string {
    const [leaves, forms] = grammar[kind];
    if (depth <= 0 || this.#random() < 0.1)
      return this.#isInLoop && this.#random() < 0.4 ? 'x' : this.#pick(leaves);
    const form = this.#pick(forms);
    if (!form.includes('(x,')) return this.#fill(form, depth);
    if (this.#isInLoop || this.#loops >= 3) return this.#pick(leaves);
    this.#loops += 1;
    const [range = '', ...inner] = form.split('(x,');
    const list = this.#fill(range, depth);
    this.#isInLoop = true;
    const body = this.#fill(inner.join('(x,'), depth);
    this.#isInLoop = false;
    return `${list}(x,${body}`;
  }

  #fill(form: string, depth: number): string {
    return form.replace(/<(\w+)>/g, (_, kind: Kind) => this.#any(kind, depth - 1));
  }
}

const grammar: Readonly<Record<Kind, readonly [leaves: readonly string[], forms: readonly string[]]>> = {
  text: [
    [
      'state.s',
      'state.big',
      'state.words',
      'state.digits',
      'state.json',
      '""',
      '"a"',
      '", "',
      'state.deep',
      'device.name',
    ],
    [
      '<text> + <text>',
      '<list>.join(<text>)',
      '<list>.join()',
      '<text>.lowerAscii()',
      '<text>.upperAscii()',
      '<text>.trim()',
      '<text>.substring(<number>)',
      '<text>.substring(0, <number>)',
      'string(<number>)',
      'string(<bytes>)',
      '<bytes>.hex()',
      '<bytes>.base64()',
      '<bytes>.string()',
      '<bool> ? <text> : <text>',
      '<list>[<number>]',
      '<map>[<text>]',
      'string(<bool>)',
      '<text> + <text> + <text> + <text>',
    ],
  ],
  list: [
    ['state.l', 'state.texts', 'state.maps', '[]', '[1, 2, 3]', '["a", "b"]', 'state.lists', 'data.rows'],
    [
      '<text>.split(<text>)',
      '<text>.split("")',
      '<text>.split(<text>, <number>)',
      '<list> + <list>',
      '<list>.map(x, <text>)',
      '<list>.map(x, <list>)',
      '<list>.map(x, <bool>, <map>)',
      '<list>.filter(x, <bool>)',
      '[<text>, <text>]',
      '[<list>, <list>]',
      '[<map>, <number>]',
      '<map>.map(x, <text>)',
      '<bool> ? <list> : <list>',
      '<list>.map(x, <list> + <list>)',
      'cel.bind(x, <list>, x + x + x + x)',
    ],
  ],
  number: [
    ['0', '1', '-1', '9000', '1.5', 'state.n', '9223372036854775807', '1e308', 'state.l[0]'],
    [
      '<number> + <number>',
      '<number> * <number>',
      '<number> / <number>',
      '<number> % <number>',
      '-<number>',
      '<text>.size()',
      'size(<list>)',
      'size(<map>)',
      '<bytes>.size()',
      'int(<text>)',
      'double(<text>)',
      'uint(<number>)',
      '<text>.indexOf(<text>)',
      '<text>.lastIndexOf(<text>)',
      '<text>.indexOf(<text>, <number>)',
      '<bytes>.at(<number>)',
      '<time>.getHours("Europe/Berlin")',
      '<time>.getDayOfYear()',
      '<time>.getFullYear(<text>)',
      '<duration>.getSeconds()',
      'mean(state.n, 10)',
      'max(state.n, 1440)',
      '<bool> ? <number> : <number>',
      'int(<number>)',
      'double(<number>)',
    ],
  ],
  bool: [
    ['true', 'false', 'state.on', 'has(state.nothing)', 'device.connected'],
    [
      '<bool> && <bool>',
      '<bool> || <bool>',
      '!<bool>',
      '<text> == <text>',
      '<list> == <list>',
      '<map> != <map>',
      '<number> > <number>',
      '<text> < <text>',
      '<text> in <list>',
      '<number> in <list>',
      '<list> in <list>',
      '<text> in <map>',
      '<text>.contains(<text>)',
      '<text>.startsWith(<text>)',
      '<text>.endsWith(<text>)',
      'fits(<text>, <text>)',
      'fits(<text>, "(a|b)*c{0,20}[a-z]+$")',
      '<list>.all(x, <bool>)',
      '<list>.exists(x, <bool>)',
      '<list>.exists_one(x, <bool>)',
      '<map>.all(x, <bool>)',
      '<list>.size() > <number>',
      '<text>.size() > 1',
      '<time> > <time>',
      '<duration> > <duration>',
      'bool(<text>)',
      'type(<list>) == list',
      'dyn(<text>) == <number>',
      '<bytes> == <bytes>',
      'cel.bind(x, <text>, x + x == x)',
    ],
  ],
  map: [
    ['state', 'state.map', 'data.wide', '{}', 'event.payload', 'state.nested'],
    [
      '{"a": <text>}',
      '{"a": <list>, "b": <map>}',
      '{<text>: <number>}',
      '<bytes>.json()',
      '<bool> ? <map> : <map>',
    ],
  ],
  bytes: [
    ['bytes("a")', 'bytes(state.s)', 'bytes(state.json)'],
    ['bytes(<text>)', '<bytes> + <bytes>'],
  ],
  time: [
    ['event.ts', 'timestamp("2026-11-22T12:00:00Z")'],
    ['timestamp(<text>)', 'timestamp(<number>)', '<time> + <duration>'],
  ],
  duration: [
    ['duration("5m")', 'device.connectedFor'],
    ['duration(<text>)', '<duration> + <duration>', '<time> - <time>'],
  ],
};

/** Values at the limits of their sizes: a state of 64 KB, and data of a table. */
export function hostileState(): Record<string, unknown> {
  return {
    s: 'a'.repeat(9_000),
    big: 'ab'.repeat(8_000),
    words: 'word, '.repeat(500),
    digits: '9'.repeat(2_000),
    json: `[${'{},'.repeat(1_000)}{}]`,
    deep: '['.repeat(1_000),
    n: 31,
    on: true,
    l: Array.from({ length: 3_000 }, (_, n) => n),
    texts: Array.from({ length: 300 }, (_, n) => `text ${n}`),
    maps: Array.from({ length: 200 }, (_, n) => ({ n })),
    lists: Array.from({ length: 100 }, () => [1, 2, 3]),
    map: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`k${n}`, n])),
    // A state may have 100 levels.
    nested: Array.from({ length: 98 }).reduce<unknown>(inner => ({ inner }), 1),
  };
}

export const hostileGiven = (): Given => ({
  event: { id: 'evt_1', name: 'x', ts: '2026-11-22T12:00:00.000Z', deviceId: 'dev_1', payload: { n: 1 } },
  device: {
    id: 'dev_1',
    tag: 't',
    name: 'a name',
    class: 'c',
    connected: true,
    connectedFor: 1_000,
    home: '',
  },
  state: hostileState(),
  data: {
    rows: Array.from({ length: 5_000 }, (_, n) => ({ n, text: `row ${n}` })),
    wide: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n])),
  },
  figures: { 'mean n 10': 30 },
});
