import type { Command } from '#contract/command.ts';
import type { Json } from '../json.ts';
import { mayPass } from './api.ts';
import type { AppContext } from './context.ts';
import { later } from './later.ts';

/** A command that the device answered with an error, or did not answer in time. */
export class CommandFailed extends Error {
  readonly command: Command;

  constructor(command: Command) {
    super(command.error ?? sentences[command.stage] ?? 'The command failed.');
    this.name = 'CommandFailed';
    this.command = command;
  }
}

const sentences: Partial<Record<Command['stage'], string>> = {
  expired: 'The device did not answer in time.',
  cancelled: 'The command was cancelled.',
};
const final: readonly Command['stage'][] = ['done', 'failed', 'expired', 'cancelled'];

/** The command is also polled from time to time, in case the stream is slow or closed. */
const lookMs = { first: 2_000, most: 15_000 };

/** Waits for the device's answer, which arrives on the stream or by polling the command. */
export async function commandFinished(context: AppContext, sent: Command): Promise<Json | undefined> {
  const params = { deviceId: sent.deviceId, commandId: sent.id };
  let told = later<void>();
  const stop = context.stream.listen({
    message: message => {
      if (message.type === 'command' && message.commandId === sent.id) told.resolve();
    },
  });
  try {
    let command = sent;
    for (let ms = lookMs.first; !final.includes(command.stage); ms = Math.min(2 * ms, lookMs.most)) {
      const timer = setTimeout(told.resolve, ms);
      await told.promise;
      clearTimeout(timer);
      told = later();
      const looked = context.api.call('readMyCommand', { params });
      command = await looked.catch(error => {
        if (!mayPass(error)) throw error;
        return command;
      });
    }
    if (command.stage !== 'done') throw new CommandFailed(command);
    return command.result as Json | undefined;
  } finally {
    stop();
  }
}
