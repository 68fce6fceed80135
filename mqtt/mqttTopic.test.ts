import { expect, it } from 'vitest';
import { topicMatches } from './mqttTopic.ts';

it.each([
  ['a/b', 'a/b', true],
  ['a/b', 'a/b/c', false],
  ['a/b/c', 'a/b', false],
  ['a/+', 'a/b', true],
  ['a/+', 'a/', true],
  ['a/+', 'a', false],
  ['a/+', 'a/b/c', false],
  ['+/+', '/a', true],
  ['+', '/a', false],
  ['a/#', 'a', true],
  ['a/#', 'a/b/c', true],
  ['a/+/#', 'a', false],
  ['a/+/#', 'a/b', true],
  ['#', 'a/b', true],
  ['#', '$SYS/a', false],
  ['+/a', '$SYS/a', false],
  ['$SYS/#', '$SYS/a', true],
  ['A', 'a', false],
])('%s and %s: %s', (filter, topic, matches) => expect(topicMatches(filter, topic)).toBe(matches));
