import type { Command } from '#contract/command.ts';
import type { Platform } from '#server/platform.ts';
import { finishedSubject, isFinished } from './tell.ts';

/** A message may be lost, so that is looked from time to time as well. */
const lookMs = 2_000;

const waits = new Set<() => void>();

/** Lets all waits end, so that a server which stops need not wait for devices that may never answer. */
export function endCommandWaits(): void {
  for (const end of waits) end();
}

/** The command when it has ended, or as it is when the time is over. */
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
