import { expect, test } from 'vitest';
import { isRefusal, readFrame } from './frames.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  ['{"a":1,"a":2}', 'An object has a duplicate member, at character 8.'],
  ['{"n":9007199254740993}', 'A number would lose digits (send it as a string), at character 6.'],
  ['{"a":x}', 'The payload is not valid JSON.'],
  ['{"a":1,}', 'The payload is not valid JSON, at character 8.'],
  ['{"a":', 'The payload is not valid JSON, at character 6.'],
])('a device is told where %s goes wrong, counted from 1 as people do', (payload, message) => {
  const read = readFrame('state', bytes(payload));
  expect(isRefusal(read) && read.message).toBe(message);
});
