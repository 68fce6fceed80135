import { useEffect, useState } from 'react';
import { call, useCall } from '#console/api.ts';
import { typeWords } from '#console/smartModules/moduleTypes.tsx';
import { Button } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FormError } from '#console/ui/form/FormError.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { CallFailed } from '#contract/client.ts';
import { recoverSmartModule } from '#contract/moduleRun.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import css from './sidePanels.module.css';

const askAfterMs = 400;

/** Everything that failed since a time, done once more. */
export function RecoverPanel({ module, since }: { module: SmartModule; since: string | undefined }) {
  const { projectId, id: moduleId, moduleType } = module;
  const { run, runs } = typeWords[moduleType];
  const [from, setFrom] = useState(() => fieldOf(since ? new Date(since) : new Date(Date.now() - dayMs)));
  const { count, error } = useCount(module, from);
  const recover = useCall(recoverSmartModule, {
    onDone: answer => toast(`${countText(answer.count, run, runs)} on the way`),
  });
  const at = momentOf(from);
  return (
    <Panel title="Recover">
      <form
        className={css.recover}
        onSubmit={event => {
          event.preventDefault();
          if (at && count) recover.mutate({ params: { projectId, moduleId }, body: { since: at } });
        }}
      >
        <p className={css.quiet}>Does what failed once more, in order for each device.</p>
        <FormError error={recover.error ?? error} />
        <TextField
          label="Everything since"
          type="datetime-local"
          max={fieldOf(new Date())}
          value={from}
          onChange={setFrom}
          {...(at === undefined && { error: 'INVALID' })}
        />
        <Button type="submit" busy={recover.isPending} disabled={!count || module.suspended}>
          {count === undefined
            ? 'Recover'
            : count === 0
              ? 'Nothing failed since'
              : `Recover ${countText(count, run, runs)}`}
        </Button>
      </form>
    </Panel>
  );
}

/** How many there are, asked for anew when the time changes. */
function useCount({ projectId, id: moduleId, revision }: SmartModule, from: string) {
  const [answer, setAnswer] = useState<{ count?: number; error?: CallFailed }>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the module, such as its recovery, changes the count
  useEffect(() => {
    const since = momentOf(from);
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
  }, [projectId, moduleId, from, revision]);
  return answer;
}

const dayMs = 86_400_000;

/** As a field for times takes it, in the zone of the browser. */
function fieldOf(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function momentOf(field: string): string | undefined {
  const time = new Date(field);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

const countText = (count: number, run: string, runs: string) =>
  count === 1 ? `1 ${run}` : `${count.toLocaleString('en')} ${runs.toLowerCase()}`;
