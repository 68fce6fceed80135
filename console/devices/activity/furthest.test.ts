import { expect, it } from 'vitest';
import type { Command } from '#contract/command.ts';
import { furthest, hearCommand } from './furthest.ts';

const command = (id: string, stage: Command['stage']) => ({ id, stage }) as Command;

it('an answer that was on its way takes no stage of a command back', () => {
  hearCommand(command('a', 'acknowledged'));
  expect(furthest(command('a', 'sent')).stage).toBe('acknowledged');
  expect(hearCommand(command('a', 'sent')).stage).toBe('acknowledged');
  expect(furthest(command('a', 'done')).stage).toBe('done');
  expect(furthest(command('b', 'queued')).stage).toBe('queued');
});

it('what was heard of many is forgotten in time', () => {
  hearCommand(command('old', 'done'));
  for (let i = 0; i < 500; i++) hearCommand(command(`c${i}`, 'done'));
  expect(furthest(command('old', 'sent')).stage).toBe('sent');
});
