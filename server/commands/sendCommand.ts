import { argsBytesMax, type Command, commandTtlDefaultS, pendingCommandsMax } from '#contract/command.ts';
import { Problem } from '#contract/problem.ts';
import { tellDevice } from '#server/bus/deviceNotices.ts';
import type { Db } from '#server/db/sql.ts';
import { checkAgainst } from '#server/deviceClasses/schemas.ts';
import { tellLive } from '#server/http/live.ts';
import type { Platform } from '#server/platform.ts';
import { type CommandRow, insertCommand, lockOpen, toCommand } from './store.ts';
import { tellStage } from './tell.ts';

/** So many below the bound, those who send at the same instant are counted one after the other. */
const lockBelow = 50;

export interface NewCommand {
  projectId: string;
  deviceId: string;
  name: string;
  args?: Command['args'] | undefined;
  /** A day unless given. */
  ttlS?: number | undefined;
  sentBy: Command['sentBy'];
}

/**
 * Keeps a command for a device, whoever sends it and through whichever door, in the caller's transaction. `tell` is to be
 * called once that is kept: it sets the command on its way.
 */
export async function sendCommand(
  db: Db,
  platform: Platform,
  given: NewCommand,
): Promise<{ command: Command; tell: () => void }> {
  const { projectId, deviceId, name, args = {}, ttlS = commandTtlDefaultS, sentBy } = given;
  if (Buffer.byteLength(JSON.stringify(args)) > argsBytesMax) throw new Problem('TOO_LARGE');
  const createdAt = platform.clock();
  // To a device that listens here it goes out as soon as it is kept: nobody can call it off in between.
  const isSent = platform.isHeard(deviceId, `commands/${name}`);
  const row: CommandRow = {
    ...{ id: platform.newId('cmd', createdAt), projectId, deviceId, name, args, sentBy },
    ...{ createdAt, expiresAt: new Date(createdAt.getTime() + ttlS * 1000) },
    ...{ stage: isSent ? 'sent' : 'queued', sentAt: isSent ? createdAt : null },
    ...{ acknowledgedAt: null, finishedAt: null, result: null, error: null },
  };
  await keep(db, row);
  return { command: toCommand(row), tell: () => tellKept(platform, row) };
}

/** One statement for most; one more where there is a schema to compare with, or hardly room for another. */
async function keep(db: Db, row: CommandRow): Promise<void> {
  const tried = await insertCommand(db, row, { isChecked: false, openMax: pendingCommandsMax - lockBelow });
  if (!tried) throw new Problem('DEVICE_NOT_FOUND');
  if (tried.suspended) throw new Problem('DEVICE_SUSPENDED');
  const faults = tried.schema === null ? [] : checkAgainst(tried.schema, row.args);
  if (faults.length > 0) throw new Problem('SCHEMA_BROKEN', { context: { faults } });
  if (tried.isKept) return;
  if (tried.open >= pendingCommandsMax - lockBelow) await lockOpen(db, row.deviceId);
  const again = await insertCommand(db, row, { isChecked: true, openMax: pendingCommandsMax });
  if (!again?.isKept) throw new Problem('TOO_MANY_COMMANDS');
}

function tellKept(platform: Platform, row: CommandRow): void {
  const { id, projectId, deviceId, name, args, stage, createdAt: ts } = row;
  const frame = { id, args, expiresAt: row.expiresAt.toISOString() };
  tellDevice(platform, deviceId, { kind: 'command', name, frame, isSent: stage === 'sent' });
  tellStage(platform, row);
  const entry = {
    ...{ id: platform.newId('log', ts), level: 2, actor: row.sentBy, action: 'command' },
    ...{ text: `Command ${name} ${stage}`, detail: { commandId: id, stage } },
  };
  const data = { ...entry, ts: ts.toISOString() };
  platform.systemLog.append({ ...entry, projectId, stream: 'system', ts, subject: deviceId }).then(
    () => tellLive(platform, projectId, { kind: 'device', deviceId, what: 'entry', data }),
    () => undefined,
  );
}
