import type { listMyCommands, readMyCommand } from '#contract/appApi/device.ts';
import type { Command } from '#contract/command.ts';
import { Problem } from '#contract/problem.ts';
import { commandsOf, findCommand, toCommand } from '#server/commands/store.ts';
import type { Call } from '#server/endpoints/route.ts';

/** The commands to a device since it belongs to its home. */
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

/** As end users see it: who of the developer’s people sent it is not their business. */
export function myCommand({ inApp }: Pick<Call, 'inApp'>, command: Command): Command {
  const { callerType } = command.sentBy;
  if (callerType === 'user') return command;
  const { requestId: _, ...rest } = command;
  return { ...rest, sentBy: { callerType, id: inApp.projectId, displayName: inApp.projectName } };
}
