import type { answerMyUpdate, MyState, sendMyCommand, setMyDesired } from '#contract/appApi/device.ts';
import type { Command } from '#contract/command.ts';
import type { DeviceState } from '#contract/deviceState.ts';
import { Problem } from '#contract/problem.ts';
import { mergePatch } from '#rules/json/mergePatch.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { sendCommand } from '#server/devices/commands/sendCommand.ts';
import { byCall, changeDesired } from '#server/devices/state/state.ts';
import { myCommand } from './myCommands.ts';

type Controlling = Call<typeof setMyDesired> | Call<typeof sendMyCommand> | Call<typeof answerMyUpdate>;

/** A suspended device, or a device in a home that is not active, is visible but cannot be controlled. */
export function mustBeInUse({ membership, row }: Controlling): void {
  if (!membership?.isActive) throw new Problem('HOME_INACTIVE');
  if (row.suspended) throw new Problem('DEVICE_SUSPENDED');
}

export async function setDesired(call: Call<typeof setMyDesired>): Promise<MyState> {
  mustBeInUse(call);
  // An object patched with an object is an object.
  const desiredAfter = (before: MyState['desired']) => mergePatch(before, call.body) as MyState['desired'];
  return toMyState(await changeDesired(call, call.row, { by: byCall(call), desiredAfter }));
}

export async function send(call: Call<typeof sendMyCommand>): Promise<Command> {
  mustBeInUse(call);
  const { db, platform, row, body } = call;
  const { callerType, id, displayName } = actorOf(call);
  const sentBy = { callerType, id, displayName };
  const given = { projectId: row.projectId, deviceId: row.id, ...body, sentBy, call };
  const { command, tell } = await sendCommand(db, platform, given);
  call.afterCommit(tell);
  return myCommand(call, command);
}

/** The state without fields about firmware. */
export function toMyState({ reported, reportedAt, desired, desiredAt, ...state }: DeviceState): MyState {
  return {
    reported,
    ...(reportedAt !== undefined && { reportedAt }),
    desired,
    ...(desiredAt !== undefined && { desiredAt }),
    desiredVersion: state.desiredVersion,
    delta: state.delta,
    revision: state.revision,
  };
}
