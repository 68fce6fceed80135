import type { Command } from '#contract/command.ts';
import type { Platform } from '#server/infra/platform.ts';
import { finishedSubject, isFinished } from './publishStage.ts';

/** Also polls from time to time, because a notice can be lost. */
const lookMs = 2_000;

const waits = new Set<() => void>();

/** Ends all waits, so that a server that shuts down does not wait for devices. */
export function endCommandWaits(): void {
  for (const end of waits) end();
}

/** Returns the command once it is finished, or in its current stage on timeout. */
export async function untilFinished(
  { bus }: Pick<Platform, 'bus'>,
  commandId: string,
  { waitMs, look }: { waitMs: number; look: () => Promise<Command> },
): Promise<Command> {
  let untilMs = performance.now() + waitMs;
  let told = Promise.withResolvers<Command | undefined>();
  const end = () => {
    untilMs = 0;
    told.resolve(undefined);
  };
  waits.add(end);
  const unsubscribe = bus.subscribe(finishedSubject(commandId), command => told.resolve(command as Command));
  try {
    for (;;) {
      const command = await look();
      const leftMs = untilMs - performance.now();
      if (isFinished(command) || leftMs <= 0) return command;
      const timer = setTimeout(told.resolve, Math.min(leftMs, lookMs), undefined);
      const finished = await told.promise;
      clearTimeout(timer);
      if (finished) return finished;
      told = Promise.withResolvers();
    }
  } finally {
    unsubscribe();
    waits.delete(end);
  }
}
