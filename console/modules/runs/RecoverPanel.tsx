import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { serverDate, serverNow } from '#console/core/serverClock.ts';
import { Button } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { minuteField } from '#console/ui/fields/dayField.ts';
import { TextField } from '#console/ui/form/TextField.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { recoverSmartModule } from '#contract/moduleRun.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { dayMs } from '#rules/time/durations.ts';
import { countText } from './runWords.ts';
import css from './sidePanels.module.css';
import { useFailedCount } from './useFailedCount.ts';

/** Retries everything that has failed since a given time. */
export function RecoverPanel({ module, since }: { module: SmartModule; since: string | undefined }) {
  const { projectId, id: moduleId, moduleType } = module;
  const [from, setFrom] = useState(() =>
    minuteField(since ? new Date(since) : new Date(serverNow() - dayMs)),
  );
  const at = momentOf(from);
  const { count, error } = useFailedCount(module, at);
  const recover = useCall(recoverSmartModule, {
    onDone: answer => toast(`Retrying ${countText(answer.count, moduleType)}`),
  });
  return (
    <Panel title="Recover">
      <form
        className={css.recover}
        onSubmit={event => {
          event.preventDefault();
          if (at && count) recover.mutate({ params: { projectId, moduleId }, body: { since: at } });
        }}
      >
        <p className={css.quiet}>Retries what failed, in order for each device.</p>
        <FormError error={recover.error ?? error} />
        <TextField
          label="Everything since"
          type="datetime-local"
          max={minuteField(serverDate())}
          value={from}
          onChange={setFrom}
          {...(at === undefined && { error: 'INVALID' })}
        />
        <Button type="submit" busy={recover.isPending} disabled={!count || module.suspended}>
          {count === undefined
            ? 'Recover'
            : count === 0
              ? 'Nothing failed since'
              : `Recover ${countText(count, moduleType)}`}
        </Button>
      </form>
    </Panel>
  );
}

function momentOf(field: string): string | undefined {
  const time = new Date(field);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
