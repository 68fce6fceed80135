import { expect, it } from 'vitest';
import type { Command } from '#contract/command.ts';
import { latestStage, rememberStage } from './latestStage.ts';

const command = (id: string, stage: Command['stage']) => ({ id, stage }) as Command;

it('an answer that was on its way takes no stage of a command back', () => {
  rememberStage(command('a', 'acknowledged'));
  expect(latestStage(command('a', 'sent')).stage).toBe('acknowledged');
  expect(rememberStage(command('a', 'sent')).stage).toBe('acknowledged');
  expect(latestStage(command('a', 'done')).stage).toBe('done');
  expect(latestStage(command('b', 'queued')).stage).toBe('queued');
});

it('what was heard of many is forgotten in time', () => {
  rememberStage(command('old', 'done'));
  for (let i = 0; i < 500; i++) rememberStage(command(`c${i}`, 'done'));
  expect(latestStage(command('old', 'sent')).stage).toBe('sent');
});
