import { expect, it } from 'vitest';
import { moduleWords } from './moduleValues.ts';

it('of two configurations what differs is said, and what both have is not', () => {
  const { configData: words } = moduleWords;
  if (typeof words === 'string') throw new Error('It is said in words of its own.');
  const [mine, theirs] = [
    { condition: 'state.t > 40', forS: 0, acts: 'change' },
    { condition: 'state.t > 50', acts: 'change', actions: [{ kind: 'alert' }] },
  ];
  expect(words.say(mine, theirs)).toBe('condition: state.t > 40 · forS: 0 · actions: not set');
  expect(words.say(theirs, mine)).toBe(
    'condition: state.t > 50 · actions: [{"kind":"alert"}] · forS: not set',
  );
});
