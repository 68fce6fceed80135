import { stateWords } from '#console/devices/alerts/alertWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { Buoy, Lighthouse } from '#console/ui/drawings.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import type { AlertCounts, AlertState } from '#contract/alert.ts';
import { numberText } from '#rules/text/numberText.ts';

interface NoGroupsProps {
  state: AlertState;
  counts: AlertCounts | undefined;
  isNarrowed: boolean;
  clear: () => void;
}

/** Shown in place of the groups: nothing matches, or nothing is wrong. */
export function NoGroups({ state, counts, isNarrowed, clear }: NoGroupsProps) {
  const word = stateWords[state].word.toLowerCase();
  if (isNarrowed)
    return (
      <EmptyState
        icon={<Lighthouse />}
        title="No matching alerts"
        action={<Button onClick={clear}>Clear filters</Button>}
      >
        None of the {word} alerts match.
      </EmptyState>
    );
  if (state !== 'open') return <EmptyState icon={<Lighthouse />} title={`No ${word} alerts`} />;
  const waiting = counts?.acknowledged ?? 0;
  return (
    <EmptyState icon={<Buoy size={48} />} title="All quiet">
      No alert is open.
      {waiting > 0 &&
        ` ${numberText(waiting)} acknowledged ${waiting === 1 ? 'alert is' : 'alerts are'} not resolved yet.`}
    </EmptyState>
  );
}
