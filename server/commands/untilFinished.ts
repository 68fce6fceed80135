import type { Platform } from '#server/platform.ts';
import { finishedSubject } from './tell.ts';

/** A message may be lost, so that is looked from time to time as well. */
const lookMs = 2_000;

const waits = new Set<() => void>();

/** Lets all waits end, so that a server which stops need not wait for devices that may never answer. */
export function endCommandWaits(): void {
  for (const end of waits) end();
}

/** Resolves when `look` says that the command has ended, or when the time is over. */
export async function untilFinished(
  { bus }: Pick<Platform, 'bus'>,
  commandId: string,
  { waitMs, look }: { waitMs: number; look: () => Promise<boolean> },
): Promise<void> {
  let untilMs = performance.now() + waitMs;
  let told = Promise.withResolvers<void>();
  const end = () => {
    untilMs = 0;
    told.resolve();
  };
  waits.add(end);
  const unsubscribe = bus.subscribe(finishedSubject(commandId), () => told.resolve());
  try {
    while (!(await look()) && performance.now() < untilMs) {
      const timer = setTimeout(told.resolve, Math.min(untilMs - performance.now(), lookMs));
      await told.promise;
      clearTimeout(timer);
      told = Promise.withResolvers();
    }
  } finally {
    unsubscribe();
    waits.delete(end);
  }
}
