import { type Command, cancelCommand, listCommands, readCommand, sendCommand } from '#contract/command.ts';
import { Problem } from '#contract/problem.ts';
import { retentionDays } from '#rules/time/retention.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { appendEntry } from '#server/api/logs/append.ts';
import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch, type Chore, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import { forgetSender } from './forgetSender.ts';
import { publishFinished, publishStage } from './publishStage.ts';
import { sendCommand as send } from './sendCommand.ts';
import {
  type CommandKey,
  type CommandRow,
  cancelQueued,
  commandsOf,
  findCommand,
  toCommand,
} from './store.ts';
import { untilFinished } from './untilFinished.ts';
import { wipeCommands } from './wipeCommands.ts';

const commandChore: Chore = {
  name: 'commands',
  deletes: now => sql`
    delete from device_commands where (project_id, device_id, id) in (
      select project_id, device_id, id from device_commands where created_at < ${daysBefore(now, retentionDays.deviceMessages)}
      limit ${batch}) returning 1`,
};

export const commands: Slice = {
  tables: { device_commands: 'A command to a device and the stage it has reached.' },
  idPrefixes: ['cmd'],
  chores: [commandChore],
  wipesReleased: wipeCommands,
  forgetsUser: forgetSender,
  constraints: { device_commands_project_id_device_id_fkey: 'DEVICE_NOT_FOUND' },
  routes: [
    on(listCommands, ({ db, projectId = '', params, query, page }) =>
      commandsOf(db, { projectId, ...params }, query, page),
    ),

    on(sendCommand, async call => {
      const { db, platform, projectId = '', params, body } = call;
      const { command, tell } = await send(db, platform, {
        projectId,
        ...params,
        ...body,
        sentBy: sentBy(call),
        call,
      });
      call.afterCommit(tell);
      return command;
    }),

    on(readCommand, call => {
      const look = async () => toCommand(await read(call));
      const { waitMs = 0 } = call.query;
      return waitMs === 0 ? look() : untilFinished(call.platform, call.params.commandId, { waitMs, look });
    }),

    on(cancelCommand, async call => {
      const { db, platform, now } = call;
      if (!(await cancelQueued(db, keyOf(call), now))) {
        await read(call);
        throw new Problem('COMMAND_SENT');
      }
      const row = await read(call);
      await recordCancelled(call, row);
      call.afterCommit(() => {
        publishFinished(platform, row);
        publishStage(platform, row);
      });
    }),
  ],
};

type OfCommand = Call<typeof readCommand> | Call<typeof cancelCommand>;

function keyOf({ projectId = '', params }: OfCommand): CommandKey {
  return { projectId, ...params };
}

async function read(call: OfCommand): Promise<CommandRow> {
  const row = await findCommand(call.db, keyOf(call));
  if (!row) throw new Problem('COMMAND_NOT_FOUND');
  return row;
}

function sentBy(call: Call<typeof sendCommand> | Call<typeof cancelCommand>): Command['sentBy'] {
  const { callerType, id, displayName } = actorOf(call);
  return { callerType, id, displayName };
}

function recordCancelled(call: Call<typeof cancelCommand>, row: CommandRow) {
  return appendEntry(call.db, call.platform, {
    projectId: row.projectId,
    stream: 'system',
    ts: call.now,
    subject: row.deviceId,
    level: 2,
    actor: actorOf(call),
    action: 'command',
    text: `Command ${row.name} cancelled`,
    detail: { commandId: row.id, stage: row.stage },
  });
}
