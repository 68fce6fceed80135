import { Link } from '@tanstack/react-router';
import type { RolloutActs } from '#console/firmware/rollouts/acts/useRolloutActs.tsx';
import { Button } from '#console/ui/Button.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState, type ReadStateProps } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { Rollout } from '#contract/rollout.ts';
import type { RolloutReport } from '#contract/rolloutReport.ts';
import { numberText } from '#rules/text/numberText.ts';
import { failureText } from './failureWords.ts';
import { isMoving } from './isMoving.ts';
import { devicesLink } from './ProgressPanel.tsx';
import css from './rollouts.module.css';

interface FailuresPanelProps {
  rollout: Rollout;
  read: ReadStateProps['read'] & { data: RolloutReport | undefined };
  acts: RolloutActs;
}

type Cause = RolloutReport['causes'][number];

/** Why devices failed, the most frequent cause first, and which failures the gate counts. */
export function FailuresPanel({ rollout, read, acts }: FailuresPanelProps) {
  const { data } = read;
  if (data?.causes.length === 0)
    return (
      <LinePanel title="Failures">
        {isMoving(rollout) ? 'None so far. Each cause will be listed here with its devices.' : 'None.'}
      </LinePanel>
    );
  const causes = data?.causes ?? [];
  const sum = (of: readonly Cause[]) => of.reduce((total, { devices }) => total + devices, 0);
  const counting = sum(causes.filter(({ counts }) => counts));
  const total = sum(causes);
  const isOpen = rollout.state === 'running';
  return (
    <Panel
      title="Failures"
      note={data && `${numberText(total)}, by cause`}
      flush
      action={
        acts.may &&
        isOpen &&
        total > 0 && (
          <Button variant="quiet" onClick={() => acts.start('retryFailed')}>
            Retry failed
          </Button>
        )
      }
    >
      <ReadState
        read={read}
        what="The failures"
        skeleton={<Skeleton shape="rows" lines={2} />}
        refetchError
      />
      {data && (
        <>
          <Table
            label="Failures by cause"
            columns={columnsOf(rollout)}
            rows={causes}
            rowKey={({ code, failure }) => `${code} ${failure}`}
          />
          <p className={css.total}>
            <span>Total</span>
            <span>
              {numberText(counting)} count at the gate, {numberText(total - counting)} do not
            </span>
            <b>{numberText(total)}</b>
          </p>
        </>
      )}
    </Panel>
  );
}

const columnsOf = (rollout: Rollout): readonly Column<Cause>[] => [
  {
    id: 'cause',
    head: 'Cause',
    width: '38%',
    cell: ({ code }) => <TwoLines main={code} sub={failureText(code)} mono="main" whole />,
  },
  {
    id: 'devices',
    head: 'Devices',
    width: '12%',
    align: 'end',
    cell: ({ code, devices }) => (
      <Link {...devicesLink(rollout, { code })} className={css.inText}>
        {numberText(devices)}
        <span className="visuallyHidden"> devices with {code}</span>
      </Link>
    ),
  },
  {
    id: 'said',
    head: 'Most common message',
    cell: ({ error }) => (error ? <code className={css.said}>{error}</code> : '–'),
  },
  {
    id: 'gate',
    head: 'At the gate',
    width: '16%',
    cell: ({ counts }) => (counts ? 'counts' : <span className={css.quiet}>does not count</span>),
  },
];
