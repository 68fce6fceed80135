import { Link, type LinkProps } from '@tanstack/react-router';
import { useState } from 'react';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { type Share, ShareBar } from '#console/ui/chart/ShareBar.tsx';
import panel from '#console/ui/screen/Panel.module.css';
import { Panel } from '#console/ui/screen/Panel.tsx';
import type { Rollout, RolloutCounts } from '#contract/rollout.ts';
import type { RolloutReport } from '#contract/rolloutReport.ts';
import { numberText } from '#rules/text/numberText.ts';
import { isMoving } from './isMoving.ts';
import { ProgressChart, ProgressTable } from './ProgressChart.tsx';
import css from './rollouts.module.css';
import { percentText } from './rolloutWords.ts';
import { upToNow } from './upToNow.ts';

interface ProgressPanelProps {
  rollout: Rollout;
  report: RolloutReport | undefined;
  /** When the figures were read. */
  readAt: number;
}

/** The outcomes of the admitted devices, which add up to all of them. */
export function ProgressPanel({ rollout, report, readAt }: ProgressPanelProps) {
  const [asTable, setAsTable] = useState(false);
  const { counts } = rollout;
  const progress = upToNow(report?.progress ?? [], rollout, readAt);
  return (
    <Panel
      title="Progress"
      note={`${countOf(counts.admitted, 'device')} admitted${isMoving(rollout) ? ' so far' : ''}`}
      flush
      action={
        <>
          <Link {...devicesLink(rollout)} className={panel.headLink}>
            Devices
          </Link>
          {progress.length > 1 && (
            <Button variant="quiet" onClick={() => setAsTable(!asTable)}>
              {asTable ? 'As chart' : 'As table'}
            </Button>
          )}
        </>
      }
    >
      <div className={css.padded}>
        <ShareBar label="Admitted devices by outcome" shares={sharesOf(rollout)} />
      </div>
      <States counts={counts} />
      {asTable ? (
        <ProgressTable progress={progress} />
      ) : (
        progress.length > 1 && (
          <ProgressChart progress={progress} admitted={counts.admitted} isMoving={isMoving(rollout)} />
        )
      )}
    </Panel>
  );
}

/** The devices of the rollout, or those of one outcome. */
export function devicesLink(
  { id: rolloutId, projectId, channel }: Rollout,
  search: Record<string, string> = {},
): LinkProps {
  return {
    to: '/projects/$projectId/channels/$channelId/rollouts/$rolloutId/devices',
    params: { projectId, channelId: channel.id, rolloutId },
    search: search as never,
  };
}

function sharesOf(rollout: Rollout): Share[] {
  const { counts, bundle } = rollout;
  const { admitted, updated, active, waiting, failed, unable, declined, left } = counts;
  const link = (outcome: string) => devicesLink(rollout, { outcome });
  const always: Share[] = [
    {
      label: 'Updated',
      count: updated,
      tone: 'ok',
      link: link('updated'),
      hint: `run ${bundle.name}`,
    },
    {
      label: 'In progress',
      count: active,
      tone: 'accent',
      link: link('active'),
      hint: admitted > 0 ? `${percentText((active / admitted) * 100)} of those admitted` : undefined,
    },
    {
      label: 'Waiting, disconnected',
      count: waiting,
      tone: 'away',
      link: link('waiting'),
      hint: 'follow when they return',
    },
    { label: 'Failed', count: failed, tone: 'danger', link: link('failed'), hint: 'by cause below' },
  ];
  const rare: Share[] = [
    {
      label: 'Unable',
      count: unable,
      tone: 'warn',
      link: link('unable'),
      hint: 'try again every 6 h',
    },
    { label: 'Declined', count: declined, tone: 'violet', link: link('declined'), hint: 'by choice' },
    { label: 'Left', count: left, tone: 'away', link: link('left'), hint: 'pinned or moved since' },
  ];
  return [...always, ...rare.filter(({ count }) => count > 0)];
}

const states: readonly [keyof RolloutCounts, string][] = [
  ['offered', 'Offered'],
  ['downloading', 'Downloading'],
  ['verifying', 'Verifying'],
  ['ready', 'Ready, waiting'],
  ['installing', 'Installing'],
  ['rebooting', 'Rebooting, confirming'],
];

/** The states of the devices in progress. */
function States({ counts }: { counts: RolloutCounts }) {
  if (counts.active === 0) return null;
  return (
    <ul className={css.states} aria-label="In progress, by state">
      {states.map(([state, label]) => (
        <li key={state}>
          {label} <b>{numberText(counts[state])}</b>
        </li>
      ))}
    </ul>
  );
}
