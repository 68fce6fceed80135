import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useCall } from '#console/core/api.ts';
import { queryClient, readOptions } from '#console/core/client.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import css from '#console/firmware/rollouts/rollouts.module.css';
import { Button } from '#console/ui/Button.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import type { MenuItem } from '#console/ui/dialog/Menu.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { actOnRollout, type Rollout, type RolloutAct, readRollout, unfinished } from '#contract/rollout.ts';
import { actWords } from './actWords.tsx';
import { PauseIcon, StopIcon, UndoIcon } from './rolloutIcons.tsx';

export type AskAct = ((act: RolloutAct) => void) | undefined;

const icons: Partial<Record<RolloutAct, ReactNode>> = {
  pause: <PauseIcon />,
  stop: <StopIcon />,
  rollBack: <UndoIcon />,
};

/** The possible actions on a rollout in its current state; each asks for confirmation and gives the numbers. */
export function useRolloutActs(rollout: Rollout) {
  const may = useMay(actOnRollout);
  const [act, ask] = useState<RolloutAct>();
  const offered = may ? offeredIn(rollout) : [];
  useActions(offered.map(one => ({ label: actWords[one].label, run: () => ask(one) })));
  return {
    /** Undefined: the member may not act. */
    ask: (may ? ask : undefined) as AskAct,
    buttons: offered.map(one => (
      <Button
        key={one}
        icon={icons[one]}
        {...(one === 'start' && { variant: 'primary' as const })}
        {...(one === 'rollBack' && { className: css.undo })}
        onClick={() => ask(one)}
      >
        {actWords[one].label}
      </Button>
    )),
    menu: (may && hasNextStep(rollout)
      ? [{ label: `Start step ${rollout.step + 2} now`, run: () => ask('nextStep') }]
      : []) satisfies MenuItem[],
    dialog: act && <AskAct act={act} rollout={rollout} onClose={() => ask(undefined)} />,
  };
}

const hasNextStep = ({ state, step, steps }: Rollout) => state === 'running' && step + 1 < steps.length;

/** The actions with buttons at the top; the next step and retries have theirs where they are shown. */
function offeredIn({ state, counts, fromBundle }: Rollout): RolloutAct[] {
  const isOpen = unfinished.includes(state);
  return [
    ...(state === 'draft' ? (['start'] as const) : []),
    ...(state === 'running' ? (['pause'] as const) : []),
    // While paused, the band above has these.
    ...(isOpen && state !== 'paused' ? (['stop'] as const) : []),
    ...(state !== 'draft' && fromBundle && !fromBundle.isDeleted && counts.updated > 0
      ? (['rollBack'] as const)
      : []),
  ];
}

function AskAct({ act, rollout, onClose }: { act: RolloutAct; rollout: Rollout; onClose: () => void }) {
  const { label, verb, says, done, isDanger = false, takesReason = false } = actWords[act];
  const [reason, setReason] = useState('');
  const navigate = useNavigate();
  // What it answers is shown at once, before the word that it is done.
  const perform = useCall(actOnRollout, {
    onDone: acted => {
      const { queryKey } = readOptions(readRollout, { params: { rolloutId: acted.id } });
      queryClient.setQueryData(queryKey, acted);
    },
  });
  const body = { action: act, ...(reason.trim() && { reason: reason.trim() }) };
  async function go() {
    const acted = await perform.mutateAsync({ params: { rolloutId: rollout.id }, body });
    const { id: rolloutId, projectId, channel } = acted;
    toast(done);
    if (rolloutId === rollout.id) return;
    const to = '/projects/$projectId/channels/$channelId/rollouts/$rolloutId';
    await navigate({ to, params: { projectId, channelId: channel.id, rolloutId } });
  }
  return (
    <Confirm title={`${label}?`} verb={verb} danger={isDanger} onConfirm={go} onClose={onClose}>
      {says(rollout)}
      {takesReason && (
        <TextField
          label="Reason (optional)"
          hint="Recorded in the rollout’s history."
          maxLength={500}
          dir="auto"
          autoComplete="off"
          value={reason}
          onChange={setReason}
        />
      )}
    </Confirm>
  );
}
