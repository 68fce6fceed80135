import type { DesiredChange } from '#contract/desiredChange.ts';
import { Stages } from './Stages.tsx';

const stageWords: Partial<Record<DesiredChange['stage'], string>> = { unchanged: 'reported before' };

/** The progress of a change of the desired state. */
export function DesiredStages({ change }: { change: DesiredChange }) {
  const { stage, sentAt, acknowledgedAt, reportedAt, createdAt } = change;
  const passed = ['stored', ...(sentAt ? ['sent'] : []), ...(acknowledgedAt ? ['acknowledged'] : [])];
  const at = { sent: sentAt, acknowledged: acknowledgedAt, reported: reportedAt }[stage as string];
  return (
    <Stages
      passed={passed.filter(one => one !== stage)}
      stage={stageWords[stage] ?? stage}
      tookMs={at ? Date.parse(at) - Date.parse(createdAt) : undefined}
    />
  );
}
