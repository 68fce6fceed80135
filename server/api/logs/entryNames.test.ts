import { describe, expect, it } from 'vitest';
import { type Person, plain, salted, type Worded, withMarkers, withoutMarkers } from './entryNames.ts';

const entryOf = (text: string): Worded => ({
  actor: { callerType: 'user', id: 'usr_1', displayName: text },
  text,
  detail: { before: { id: 'Ann', userId: 'Ann', names: [text], n: 1 } },
});

const seal = (entry: Worded, names: ReturnType<typeof salted>) => withMarkers(entry, names, () => true);

describe('a name in an entry', () => {
  const people: Person[] = [
    { person: 'usr_1', values: ['Ann', 'ann@example.com'] },
    { person: 'usr_2', values: ['Ann Lee', '(x)'] },
  ];

  it('is erased everywhere and in any case, but not within a word or an id', () => {
    const names = salted(people);
    const entry = entryOf('Ann Lee invited ANN, ann@example.com. Annex, Joann');
    const erased = withMarkers(entry, names, ({ of }) => of === 'usr_1');
    expect(withoutMarkers(erased).text).toBe('Ann Lee invited [erased], [erased]. Annex, Joann');
    expect(erased.detail).toMatchObject({ before: { id: 'Ann', userId: 'Ann', n: 1 } });
    expect(JSON.stringify(erased)).not.toMatch(/ANN|ann@/);
  });

  it('has a different digest in each entry, so that entries naming the same person cannot be matched', () => {
    const [a, b] = [1, 2].map(() => withMarkers(entryOf('Ann'), salted(people), () => true).text);
    expect(a).not.toBe(b);
  });

  it('leaves the sealed form unchanged when it is erased, in any order and for any names and texts', () => {
    const parts = ['Ann', 'Ann Lee', '-', '(Ann)', 'x', '⟦name ', '⟧', ' ', 'é', '@', '1', '$&', 'Lee Ann'];
    let seed = 7;
    const next = (max: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % max;
    };
    const some = (max: number) =>
      Array.from({ length: 1 + next(max) }, () => parts[next(parts.length)]).join('');
    for (let round = 0; round < 100; round++) {
      const names = salted([1, 2, 3].map(n => ({ person: `usr_${n}`, values: [some(2), some(2)] })));
      const entry = plain(entryOf(some(9)));
      const sealed = seal(entry, names);
      let [left, rest] = [entry, names];
      for (const person of ['usr_2', 'usr_1', 'usr_3']) {
        left = withMarkers(left, rest, ({ of }) => of === person);
        rest = rest.filter(({ of }) => of !== person);
        expect(seal(left, rest)).toEqual(sealed);
      }
    }
  });
});
