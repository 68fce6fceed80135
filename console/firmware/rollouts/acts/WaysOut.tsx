import type { ReactNode } from 'react';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { type Rollout, unfinished } from '#contract/rollout.ts';
import { useCanRollBack } from './useCanRollBack.ts';

/** What each way to end the rollout would do now, with the numbers, before anyone needs it. */
export function WaysOut({ rollout }: { rollout: Rollout }) {
  const { counts, bundle, fromBundle, state } = rollout;
  const canRollBack = useCanRollBack(rollout);
  const before = fromBundle?.name ?? 'what they ran before';
  const back = `A new rollout moves ${countOf(counts.updated, 'device')} that ${counts.updated === 1 ? 'runs' : 'run'} ${bundle.name} back to ${before}.`;
  const facts: [string, ReactNode][] = unfinished.includes(state)
    ? [
        [
          'Pause',
          `No further devices are admitted. Those that have not started installing return to ${before}; the others finish.`,
        ],
        ['Stop', 'As Pause, but the rollout cannot resume.'],
      ]
    : [];
  if (canRollBack) facts.push(['Roll back', back]);
  else if (unfinished.includes(state) && fromBundle && counts.updated === 0)
    facts.push(['Roll back', 'Nothing to roll back yet.']);
  if (facts.length === 0) return null;
  return (
    <Panel title="If something is wrong">
      <Facts facts={facts} />
    </Panel>
  );
}
