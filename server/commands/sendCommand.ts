import { argsBytesMax, type Command, commandTtlDefaultS, pendingCommandsMax } from '#contract/command.ts';
import type { LogEntry } from '#contract/log.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { checkAgainst } from '#server/deviceClasses/schemas.ts';
import { tellDevice } from '#server/gateway/notices.ts';
import { tellLive } from '#server/http/live.ts';
import { appendEntry } from '#server/logs/append.ts';
import type { Platform } from '#server/platform.ts';
import { type CommandRow, hasRoomAlone, insertCommand, openCount, toCommand } from './store.ts';
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
  await checkDevice(db, { ...given, args });
  const createdAt = platform.clock();
  const row: CommandRow = {
    ...{ id: platform.newId('cmd', createdAt), projectId, deviceId, name, args, stage: 'queued', sentBy },
    ...{ createdAt, expiresAt: new Date(createdAt.getTime() + ttlS * 1000) },
    ...{ sentAt: null, acknowledgedAt: null, finishedAt: null, result: null, error: null },
  };
  await insertCommand(db, row);
  const entry = await noteQueued(db, platform, row);
  return { command: toCommand(row), tell: () => tellSent(platform, row, entry) };
}

async function checkDevice(db: Db, { projectId, deviceId, name, args }: NewCommand): Promise<void> {
  const device = await db.one<{ suspended: boolean; schema: unknown; open: number }>(sql`
    select d.suspended, c.command_schemas -> ${name} as schema, ${openCount(deviceId)} as open
    from devices d join device_classes c on c.project_id = d.project_id and c.id = d.device_class
    where d.project_id = ${projectId} and d.id = ${deviceId} for key share of d`);
  if (!device) throw new Problem('DEVICE_NOT_FOUND');
  if (device.suspended) throw new Problem('DEVICE_SUSPENDED');
  const faults = device.schema === null ? [] : checkAgainst(device.schema, args);
  if (faults.length > 0) throw new Problem('SCHEMA_BROKEN', { context: { faults } });
  const hasRoom = device.open < pendingCommandsMax - lockBelow || (await hasRoomAlone(db, deviceId));
  if (!hasRoom) throw new Problem('TOO_MANY_COMMANDS');
}

function noteQueued(db: Db, platform: Platform, row: CommandRow): Promise<LogEntry> {
  return appendEntry(db, platform, {
    ...{ projectId: row.projectId, stream: 'system', ts: row.createdAt, subject: row.deviceId, level: 2 },
    actor: row.sentBy,
    action: 'command',
    text: `Command ${row.name} queued`,
    detail: { commandId: row.id, stage: row.stage },
  });
}

function tellSent(platform: Platform, row: CommandRow, entry: LogEntry): void {
  const { id, projectId, deviceId, name, args, expiresAt } = row;
  const frame = { id, args, expiresAt: expiresAt.toISOString() };
  tellDevice(platform, deviceId, { kind: 'command', name, frame });
  tellStage(platform, row);
  tellLive(platform, projectId, { kind: 'device', deviceId, what: 'entry', data: entry });
}
