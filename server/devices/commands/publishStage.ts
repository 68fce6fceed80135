import type { Command } from '#contract/command.ts';
import { publishLive } from '#server/api/http/live.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type CommandRow, toCommand } from './store.ts';

export const finishedSubject = (commandId: string) => `finished ${commandId}`;
const finalStages: readonly Command['stage'][] = ['done', 'failed', 'expired', 'cancelled'];

export const isFinished = ({ stage }: Pick<Command, 'stage'>) => finalStages.includes(stage);

/** Notifies callers that wait for the command to finish. */
export function publishFinished({ bus }: Pick<Platform, 'bus'>, row: CommandRow): void {
  bus.publish(finishedSubject(row.id), toCommand(row));
}

/** Notifies consoles of the new stage. */
export function publishStage(platform: Platform, row: CommandRow): void {
  const { projectId, deviceId } = row;
  publishLive(platform, projectId, { kind: 'device', deviceId, what: 'command', data: toCommand(row) });
}
