import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useCall } from '#console/core/api.ts';
import { queryClient, readOptions } from '#console/core/client.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import css from '#console/firmware/rollouts/rollouts.module.css';
import { Button } from '#console/ui/Button.tsx';
import type { MenuItem } from '#console/ui/dialog/Menu.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { PauseIcon } from '#console/ui/icons/icons.tsx';
import { actOnRollout, type Rollout, type RolloutAct, readRollout, unfinished } from '#contract/rollout.ts';
import { AskAct } from './AskAct.tsx';
import { actWords } from './actWords.tsx';
import { StopIcon, UndoIcon } from './rolloutIcons.tsx';
import { useCanRollBack } from './useCanRollBack.ts';

const icons: Partial<Record<RolloutAct, ReactNode>> = {
  pause: <PauseIcon />,
  stop: <StopIcon />,
  rollBack: <UndoIcon />,
};

/** Who looks into a problem pauses first and asks later; a step that waits was announced with its numbers. */
const atOnce: ReadonlySet<RolloutAct> = new Set(['pause', 'nextStep']);

export type RolloutActs = ReturnType<typeof useRolloutActs>;

/**
 * The possible actions on a rollout in its current state. Those that end something ask for confirmation and give the
 * numbers; a pause, and a step that waits, take effect at once.
 */
export function useRolloutActs(rollout: Rollout) {
  const may = useMay(actOnRollout);
  const [act, ask] = useState<RolloutAct>();
  const { perform, pending, error } = usePerform(rollout);
  const canRollBack = useCanRollBack(rollout);
  const offered = may ? offeredIn(rollout, canRollBack) : [];
  const start = (one: RolloutAct) => (atOnce.has(one) ? perform(one).catch(() => undefined) : ask(one));
  useActions(offered.map(one => ({ label: actWords[one].label, run: () => void start(one) })));
  return {
    may,
    offered,
    /** The act under way. */
    pending,
    /** Of an act that was not asked for in the dialog, which shows its own. */
    error: act === undefined ? error : null,
    start: (one: RolloutAct) => void start(one),
    button: (one: RolloutAct) => (
      <Button
        key={one}
        icon={icons[one]}
        {...(one === 'start' && { variant: 'primary' as const })}
        {...(one === 'rollBack' && { className: css.undo })}
        busy={pending === one}
        onClick={() => void start(one)}
      >
        {pending === one && one === 'pause' ? 'Pausing' : actWords[one].label}
      </Button>
    ),
    // Before its time, so it asks.
    menu: (may && hasNextStep(rollout)
      ? [{ label: `Start step ${rollout.step + 2} now`, run: () => ask('nextStep') }]
      : []) satisfies MenuItem[],
    dialog: act && <AskAct act={act} rollout={rollout} perform={perform} onClose={() => ask(undefined)} />,
  };
}

const hasNextStep = ({ state, step, steps }: Rollout) => state === 'running' && step + 1 < steps.length;

/** The actions with buttons at the top; the next step and retries have theirs where they are shown. */
function offeredIn({ state }: Rollout, canRollBack: boolean): RolloutAct[] {
  const isOpen = unfinished.includes(state);
  return [
    ...(state === 'draft' ? (['start'] as const) : []),
    ...(state === 'running' ? (['pause'] as const) : []),
    // While paused, the band above has these.
    ...(isOpen && state !== 'paused' ? (['stop'] as const) : []),
    ...(canRollBack ? (['rollBack'] as const) : []),
  ];
}

function usePerform(rollout: Rollout) {
  const navigate = useNavigate();
  // What it answers is shown at once, before the word that it is done.
  const act = useCall(actOnRollout, {
    onDone: acted => {
      const { queryKey } = readOptions(readRollout, { params: { rolloutId: acted.id } });
      queryClient.setQueryData(queryKey, acted);
    },
  });
  async function perform(action: RolloutAct, reason?: string) {
    const body = { action, ...(reason?.trim() && { reason: reason.trim() }) };
    const {
      id: rolloutId,
      projectId,
      channel,
    } = await act.mutateAsync({
      params: { rolloutId: rollout.id },
      body,
    });
    toast(actWords[action].done);
    if (rolloutId === rollout.id) return;
    const to = '/projects/$projectId/channels/$channelId/rollouts/$rolloutId';
    await navigate({ to, params: { projectId, channelId: channel.id, rolloutId } });
  }
  return {
    perform,
    pending: act.isPending ? act.variables?.body.action : undefined,
    error: act.variables && atOnce.has(act.variables.body.action) ? act.error : null,
  };
}
