import { isDeepStrictEqual } from 'node:util';
import type { Command } from '#contract/command.ts';
import { mergePatch } from '#rules/json/mergePatch.ts';
import { sendCommand } from '#server/devices/commands/sendCommand.ts';
import { changeDesired, stateOf } from '#server/devices/state/state.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { OnDevice } from './act.ts';
import type { ActionOf } from './actions.ts';

export interface Needs {
  platform: Platform;
  /** Called once the transaction is committed. */
  afterCommit: (tell: () => void) => void;
}

/** The sender in logs and lists. */
const senderOf = ({ module }: OnDevice): Command['sentBy'] => ({
  callerType: 'agent',
  id: module.id,
  displayName: module.id,
});

export async function command(
  db: Db,
  { name, args, expiresS }: ActionOf<'command'>,
  acting: OnDevice,
  { platform, afterCommit }: Needs,
): Promise<string> {
  const { command, tell } = await sendCommand(db, platform, {
    projectId: acting.module.projectId,
    deviceId: acting.device.id,
    name,
    args,
    ttlS: expiresS,
    sentBy: senderOf(acting),
  });
  afterCommit(tell);
  return `${name} ${command.stage === 'sent' ? 'sent' : 'queued'}`;
}

/**
 * Changes nothing if the values are already desired: otherwise the device would be notified for nothing, and rules
 * could trigger each other endlessly.
 */
export async function desire(
  db: Db,
  { patch }: ActionOf<'desired'>,
  acting: OnDevice,
  { platform, afterCommit }: Needs,
): Promise<string> {
  const { module, device, now } = acting;
  const { projectId } = module;
  const { desired } = await stateOf(db, projectId, device.id);
  if (isDeepStrictEqual(mergePatch(desired, patch), desired)) return 'Already desired';
  const call = { db, now, platform, ifMatch: undefined, before: undefined, afterCommit };
  const after = await changeDesired(
    call,
    { id: device.id, projectId, deviceClass: device.deviceClass },
    {
      by: { setBy: senderOf(acting) },
      desiredAfter: before => mergePatch(before, patch) as typeof before,
    },
  );
  return `Desired state ${after.desiredVersion} set`;
}
