import { expect, it } from 'vitest';
import { changedNames } from '#console/ui/code/changedNames.ts';
import { differenceOf } from '#console/ui/code/differences.ts';
import { fromFields, toFields, wordsOf } from './moduleFields.ts';
import { emptyModule } from './moduleValues.ts';

const schema = {
  properties: {
    condition: { title: 'When' },
    acts: { title: 'Acts', enum: ['change', 'each'], ui: { labels: { each: 'On each event' } } },
    actions: { title: 'Then' },
  },
};
const moduleOf = (configData: Record<string, unknown>) => toFields({ ...emptyModule, configData }, schema);

it('two people who edit different settings of one configuration both keep their changes', () => {
  const base = moduleOf({ condition: 'a', acts: 'change' });
  const theirs = moduleOf({ condition: 'a', acts: 'each' });
  const mine = moduleOf({ condition: 'b', acts: 'change', actions: [] });
  const changed = Object.fromEntries(
    changedNames(base, mine).map(name => [name, (mine as Record<string, unknown>)[name]]),
  );
  expect(fromFields({ ...theirs, ...changed }).configData).toEqual({
    condition: 'b',
    acts: 'each',
    actions: [],
  });
});

it('differences are named and described as in the form', () => {
  const [base, theirs] = [moduleOf({ condition: 'a', acts: 'change' }), moduleOf({ acts: 'each' })];
  const of = (name: `configData.${string}`) =>
    differenceOf(name, { words: wordsOf(schema), base, theirs, mine: { 'configData.acts': undefined } });
  expect(of('configData.acts')).toEqual({ label: 'Acts', theirs: 'On each event', yours: 'not set' });
  expect(of('configData.condition')).toEqual({ label: 'When', theirs: 'not set', yours: undefined });
});
