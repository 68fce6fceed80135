import { expect, it } from 'vitest';
import { pluralOf, withArticle } from './nounText.ts';

it.each([
  ['thermostat', 'thermostats'],
  ['switch', 'switches'],
  ['battery', 'batteries'],
  ['relay', 'relays'],
  ['lens', 'lenses'],
])('several of %s are %s', (noun, plural) => expect(pluralOf(noun)).toBe(plural));

it.each(['a thermostat', 'an oven', 'a unit', 'an umbrella'])('one is %s', text =>
  expect(withArticle(text.split(' ')[1] ?? '')).toBe(text),
);
