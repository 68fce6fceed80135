import { expect, it } from 'vitest';
import type { Command } from '#contract/command.ts';
import { latestStage, rememberStage } from './latestStage.ts';

const command = (id: string, stage: Command['stage']) => ({ id, stage }) as Command;

it('a response that was already on its way does not set a command back to an earlier stage', () => {
  rememberStage(command('a', 'acknowledged'));
  expect(latestStage(command('a', 'sent')).stage).toBe('acknowledged');
  expect(rememberStage(command('a', 'sent')).stage).toBe('acknowledged');
  expect(latestStage(command('a', 'done')).stage).toBe('done');
  expect(latestStage(command('b', 'queued')).stage).toBe('queued');
});

it('the oldest remembered stages are forgotten', () => {
  rememberStage(command('old', 'done'));
  for (let i = 0; i < 500; i++) rememberStage(command(`c${i}`, 'done'));
  expect(latestStage(command('old', 'sent')).stage).toBe('sent');
});
