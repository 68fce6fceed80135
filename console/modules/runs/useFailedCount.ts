import { useEffect, useState } from 'react';
import { call } from '#console/core/client.ts';
import { CallFailed } from '#contract/client.ts';
import { recoverSmartModule } from '#contract/moduleRun.ts';
import type { SmartModule } from '#contract/smartModule.ts';

const askAfterMs = 400;

/**
 * How many runs have failed since a given time; read again when the time, the module or its number of failures
 * (`marker`) changes.
 */
export function useFailedCount(
  { projectId, id: moduleId, revision }: SmartModule,
  since: string | undefined,
  marker = '',
) {
  const [answer, setAnswer] = useState<{ count?: number; error?: CallFailed }>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the module, such as its recovery, changes the count
  useEffect(() => {
    if (!since) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const body = { since, dryRun: true };
        const found = await call(recoverSmartModule, {
          params: { projectId, moduleId },
          body,
          signal: stop.signal,
        });
        if (!stop.signal.aborted) setAnswer({ count: found.count });
      } catch (error) {
        if (error instanceof CallFailed && !stop.signal.aborted)
          setAnswer(error.reason === 'MODULE_SUSPENDED' ? {} : { error });
      }
    }, askAfterMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [projectId, moduleId, since, revision, marker]);
  return answer;
}
