import type { DesiredChange } from '#contract/desiredChange.ts';
import css from './activity.module.css';
import { HopFacts } from './HopFacts.tsx';

/** What was changed, by whom, and when the device received and reported it. */
export function DesiredDetail({ change }: { change: DesiredChange }) {
  const { patch, setBy, calledAt, requestId, stage } = change;
  return (
    <div className={css.detail}>
      <HopFacts
        values={[['Change', patch]]}
        by={setBy}
        {...{ calledAt, requestId }}
        hops={[
          ['Stored', change.createdAt],
          ['Sent', change.sentAt],
          ['Acknowledged', change.acknowledgedAt],
          ['Reported', stage === 'unchanged' ? undefined : change.reportedAt],
          ['Replaced', change.replacedAt],
        ]}
        end={[['Version', change.version]]}
      />
    </div>
  );
}
