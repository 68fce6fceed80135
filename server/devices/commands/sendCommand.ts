import { argsBytesMax, type Command, pendingCommandsMax } from '#contract/command.ts';
import { Problem } from '#contract/problem.ts';
import { commandTtlDefaultS } from '#rules/time/lifetimes.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { publishLive } from '#server/api/http/live.ts';
import { checkAgainst } from '#server/classes/deviceClasses/schemas.ts';
import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { publishStage } from './publishStage.ts';
import { type CommandRow, insertCommand, lockOpen, toCommand } from './store.ts';

/** Within this margin below the limit, concurrent senders are serialized by a lock so that the count is exact. */
const lockBelow = 50;

export interface NewCommand {
  projectId: string;
  deviceId: string;
  name: string;
  args?: Command['args'] | undefined;
  /** Default: one day. */
  ttlS?: number | undefined;
  sentBy: Command['sentBy'];
  /** The call that sends it. */
  call?: Pick<Call, 'now' | 'from'>;
}

/**
 * Stores a command for a device within the caller's transaction, whichever API it comes from. Call `tell` after
 * the commit to deliver it.
 */
export async function sendCommand(
  db: Db,
  platform: Platform,
  given: NewCommand,
): Promise<{ command: Command; tell: () => void }> {
  const { projectId, deviceId, name, args = {}, ttlS = commandTtlDefaultS, sentBy, call } = given;
  if (Buffer.byteLength(JSON.stringify(args)) > argsBytesMax) throw new Problem('TOO_LARGE');
  const createdAt = platform.clock();
  // If the device is connected to this process, the command is marked as sent at once, and can no longer be
  // cancelled.
  const isSent = platform.isHeard(deviceId, `commands/${name}`);
  const row: CommandRow = {
    id: platform.newId('cmd', createdAt),
    projectId,
    deviceId,
    name,
    args,
    sentBy,
    calledAt: call?.now ?? null,
    requestId: call?.from.requestId ?? null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + ttlS * 1000),
    stage: isSent ? 'sent' : 'queued',
    sentAt: isSent ? createdAt : null,
    acknowledgedAt: null,
    finishedAt: null,
    answeredLateAt: null,
    result: null,
    error: null,
  };
  await storeCommand(db, row);
  return { command: toCommand(row), tell: () => publishStored(platform, row) };
}

/** Usually one statement; another if there is a schema to validate against or the limit is close. */
async function storeCommand(db: Db, row: CommandRow): Promise<void> {
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

function publishStored(platform: Platform, row: CommandRow): void {
  const { id, projectId, deviceId, name, args, stage, createdAt: ts } = row;
  const frame = { id, args, expiresAt: row.expiresAt.toISOString() };
  notifyDevice(platform, deviceId, { kind: 'command', name, frame, isSent: stage === 'sent' });
  publishStage(platform, row);
  const entry = {
    id: platform.newId('log', ts),
    level: 2,
    actor: row.sentBy,
    action: 'command',
    text: `Command ${name} ${stage}`,
    detail: { commandId: id, stage },
  };
  const data = { ...entry, ts: ts.toISOString() };
  platform.systemLog.append({ ...entry, projectId, stream: 'system', ts, subject: deviceId }).then(
    () => publishLive(platform, projectId, { kind: 'device', deviceId, what: 'entry', data }),
    () => undefined,
  );
}
