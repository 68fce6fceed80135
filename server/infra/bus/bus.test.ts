import { expect, it } from 'vitest';
import { createLocalBus } from './bus.ts';

it('a subscriber that fails keeps a notice neither from the other subscribers nor from the publisher', () => {
  const logged: string[] = [];
  const bus = createLocalBus((level, message, detail) => logged.push(`${level} ${message} ${detail?.error}`));
  const heard: unknown[] = [];
  bus.subscribe('a', () => {
    throw new Error('Broken.');
  });
  bus.subscribe('a', message => heard.push(message));
  bus.publish('a', 1);
  expect(heard).toEqual([1]);
  expect(logged).toEqual(['error A notice could not be processed Error: Broken.']);
});
