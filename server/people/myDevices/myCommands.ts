import type { listMyCommands, listMyDesiredChanges, readMyCommand } from '#contract/appApi/device.ts';
import type { Command } from '#contract/command.ts';
import type { DesiredChange } from '#contract/desiredChange.ts';
import { Problem } from '#contract/problem.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { commandsOf, findCommand, toCommand } from '#server/devices/commands/store.ts';
import { changesOf } from '#server/devices/desiredChanges/store.ts';

/** The commands to a device since it joined its home. */
export async function myCommands(call: Call<typeof listMyCommands>) {
  const { db, row, query, page } = call;
  const of = { projectId: row.projectId, deviceId: row.id };
  const { items, ...counted } = await commandsOf(db, of, { stage: query.stage, since: row.ownedSince }, page);
  return { ...counted, items: items.map(command => myCommand(call, command)) };
}

export async function readOne(call: Call<typeof readMyCommand>): Promise<Command> {
  const { db, row, params } = call;
  const found = await findCommand(db, { projectId: row.projectId, ...params });
  if (!found || found.createdAt < row.ownedSince) throw new Problem('COMMAND_NOT_FOUND');
  return myCommand(call, toCommand(found));
}

/** The changes of a device's desired state since it joined its home. */
export async function myDesiredChanges(call: Call<typeof listMyDesiredChanges>) {
  const { db, row, page } = call;
  const of = { projectId: row.projectId, deviceId: row.id, since: row.ownedSince };
  const { items, total } = await changesOf(db, of, page);
  return { total, items: items.map(change => myDesiredChange(call, change)) };
}

/** A command as end users see it: which member of the developer’s team sent it is hidden. */
export function myCommand(call: Pick<Call, 'inApp'>, command: Command): Command {
  if (command.sentBy.callerType === 'user') return command;
  const { requestId: _, ...rest } = command;
  return { ...rest, sentBy: inPlaceOf(command.sentBy, call) };
}

function myDesiredChange(call: Pick<Call, 'inApp'>, change: DesiredChange): DesiredChange {
  if (change.setBy.callerType === 'user') return change;
  const { requestId: _, ...rest } = change;
  return { ...rest, setBy: inPlaceOf(change.setBy, call) };
}

function inPlaceOf({ callerType }: Command['sentBy'], { inApp }: Pick<Call, 'inApp'>): Command['sentBy'] {
  return { callerType, id: inApp.projectId, displayName: inApp.projectName };
}
