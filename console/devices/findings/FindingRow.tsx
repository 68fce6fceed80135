import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { shortReason } from '#console/devices/deviceWords.ts';
import {
  ClockIcon,
  FlapIcon,
  OfflineIcon,
  QuietIcon,
  ShieldIcon,
} from '#console/devices/states/signalIcons.tsx';
import { buttonClass } from '#console/ui/Button.tsx';
import { Menu } from '#console/ui/dialog/Menu.tsx';
import { BellIcon, BoltIcon, FirmwareIcon, PauseIcon } from '#console/ui/icons/icons.tsx';
import { LastsSince, useNow } from '#console/ui/time/TimeAgo.tsx';
import type { Finding } from '#contract/finding.ts';
import { limitMax } from '#contract/paging.ts';
import { actOnRollout, listRollouts } from '#contract/rollout.ts';
import { numberText } from '#rules/text/numberText.ts';
import { AcknowledgeButton } from './AcknowledgeButton.tsx';
import { listOf, nextOf } from './findingLinks.ts';
import css from './findings.module.css';
import { factLabel, reasonOf, titleOf } from './findingWords.ts';
import { useHideFinding } from './useHideFinding.tsx';

interface FindingRowProps {
  projectId: string;
  finding: Finding;
  isFirst: boolean;
}

/** One thing that needs attention: the sentence leads to all that it is about, the button does the next thing. */
export function FindingRow({ projectId, finding, isFirst }: FindingRowProps) {
  const { signal, isHidden, since, common } = finding;
  const now = useNow();
  const mayStart = useMay(actOnRollout);
  const { hide, show } = useHideFinding(projectId);
  const title = titleOf(finding, mayStart);
  const { icon: Icon, tone } = lookOf(finding);
  const isLoss = signal === 'lost' || signal === 'offline';
  return (
    <li
      className={css.finding}
      data-tint={(isLoss && isFirst && !isHidden) || undefined}
      data-hidden={isHidden}
      aria-label={title}
    >
      <span className={css.icon} data-tone={tone}>
        <Icon size={16} />
      </span>
      <div className={css.what}>
        <Link {...listOf(projectId, finding)} className={css.title} dir="auto">
          {title}
        </Link>
        <p className={css.reason} dir="auto">
          {signal === 'rollout' ? (
            <RolloutReason projectId={projectId} finding={finding} />
          ) : (
            reasonOf(finding, now)
          )}
        </p>
      </div>
      <span className={css.age}>
        <LastsSince time={since} />
      </span>
      <div className={css.acts}>
        <Next projectId={projectId} finding={finding} isPrimary={isLoss && isFirst} />
        <Menu
          label={`More for: ${title}`}
          items={[
            isHidden
              ? { label: 'Show again', run: () => void show(finding) }
              : { label: 'Hide until it changes', run: () => void hide(finding) },
          ]}
        />
      </div>
      {common.length > 0 && <Common common={common} />}
    </li>
  );
}

function Next({
  projectId,
  finding,
  isPrimary,
}: Pick<FindingRowProps, 'projectId' | 'finding'> & { isPrimary: boolean }) {
  const { label, link } = nextOf(projectId, finding);
  const other: ReactNode = (
    <Link {...link} className={buttonClass(isPrimary ? 'primary' : 'plain')}>
      {label}
    </Link>
  );
  if (!finding.alerts) return other;
  return <AcknowledgeButton projectId={projectId} group={finding.alerts} otherwise={other} />;
}

/** How far the rollout has come is in the list of rollouts. */
function RolloutReason({ projectId, finding }: Pick<FindingRowProps, 'projectId' | 'finding'>) {
  const { data } = useRead(listRollouts, { query: { projectId, state: 'unfinished', limit: limitMax } });
  const row = data?.items.find(({ id }) => id === finding.rollout?.id);
  return reasonOf(finding, useNow(), row);
}

/** What nearly all of the affected devices share. */
function Common({ common }: Pick<Finding, 'common'>) {
  return (
    <dl className={css.common} aria-label="In common">
      {common.map(one => (
        <div key={`${one.fact} ${one.value}`}>
          <dt>{factLabel(one)}</dt>
          <dd>
            <b dir="auto">{one.fact === 'reason' ? shortReason(one.value) : one.value}</b>{' '}
            {numberText(one.count)} of {numberText(one.of)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const looks = {
  lost: { icon: OfflineIcon, tone: 'danger' },
  offline: { icon: OfflineIcon, tone: 'danger' },
  rollout: { icon: PauseIcon, tone: 'warn' },
  alert: { icon: BellIcon, tone: 'warn' },
  updateFailed: { icon: FirmwareIcon, tone: 'danger' },
  commandFailed: { icon: BoltIcon, tone: 'danger' },
  quarantine: { icon: ShieldIcon, tone: 'warn' },
  flapping: { icon: FlapIcon, tone: 'warn' },
  quiet: { icon: QuietIcon, tone: 'off' },
  never: { icon: ClockIcon, tone: 'off' },
} as const;

function lookOf({ signal, rollout, alerts }: Finding) {
  if (rollout && !rollout.isPaused) return { icon: ClockIcon, tone: 'busy' };
  return alerts ? { icon: BellIcon, tone: 'danger' } : looks[signal];
}
