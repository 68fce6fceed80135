import { countOf } from '#console/firmware/firmwareWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { type Share, ShareBar } from '#console/ui/chart/ShareBar.tsx';
import { WarningIcon } from '#console/ui/icons/icon.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { Bundle } from '#contract/bundle.ts';
import type { Channel, ChannelImpact } from '#contract/channel.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './change.module.css';
import type { ImpactRead } from './impactRead.ts';
import type { Change } from './useChange.ts';

interface ImpactPanelProps {
  channel: Channel;
  bundle: Bundle;
  read: ImpactRead;
  change: Change;
}

/** The devices of the channel by what would happen to them: four groups that add up. */
export function ImpactPanel({ channel, bundle, read, change }: ImpactPanelProps) {
  const { data } = read;
  return (
    <Panel
      title="What this will affect"
      note={
        data && `${countOf(data.total, 'device')} ${data.total === 1 ? 'follows' : 'follow'} ${channel.name}`
      }
      flush
    >
      <ReadState read={read} what="What it would affect" skeleton={<Skeleton lines={3} />} refetchError />
      {data && (
        <>
          <div className={css.padded}>
            <ShareBar label="Devices by outcome" ruled shares={sharesOf(data, bundle, change)} />
          </div>
          {data.down > 0 && <Downgrades impact={data} change={change} />}
        </>
      )}
    </Panel>
  );
}

function sharesOf(impact: ChannelImpact, { id, name }: Bundle, { leavesOut }: Change): Share[] {
  const { up, unchanged, down, notReached, pinned, suspended, from } = impact;
  const [most] = from.filter(({ bundleId }) => bundleId !== id);
  const origin = most ? `most run ${most.bundleName ?? 'an unknown bundle'}` : 'run none or an older one';
  const reasons = [
    pinned > 0 && `${numberText(pinned)} pinned`,
    suspended > 0 && `${numberText(suspended)} suspended`,
  ];
  return [
    { label: 'Upgrade', count: up, tone: 'accent', hint: up > 0 ? origin : 'none' },
    { label: 'Unchanged', count: unchanged, tone: 'ok', hint: `already run ${name}` },
    { label: 'Downgrade', count: down, tone: 'danger', hint: leavesOut ? 'left out' : 'run a newer bundle' },
    {
      label: 'Not reached',
      count: notReached,
      tone: 'away',
      hint: reasons.filter(Boolean).join(', ') || 'pinned or suspended',
    },
  ];
}

function Downgrades({
  impact: { down, refusesDowngrade },
  change,
}: {
  impact: ChannelImpact;
  change: Change;
}) {
  const { leavesOut, setLeavesOut } = change;
  const refusing =
    refusesDowngrade > 0 &&
    ` ${numberText(refusesDowngrade)} of them ${refusesDowngrade === 1 ? 'refuses' : 'refuse'} downgrades.`;
  return (
    <div className={css.warn}>
      <WarningIcon />
      <p role="status">
        {countOf(down, 'device')} {leavesOut ? (down === 1 ? 'stays' : 'stay') : 'would go back'}{' '}
        {leavesOut ? 'on the newer bundle they run.' : 'to an older bundle.'}
        {!leavesOut && refusing}
      </p>
      <Button onClick={() => setLeavesOut(!leavesOut)}>
        {leavesOut ? 'Take them along' : 'Leave them out'}
      </Button>
    </div>
  );
}
