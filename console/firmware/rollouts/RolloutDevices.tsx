import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { Buoy } from '#console/ui/drawings.tsx';
import { type Filter, ListScreen } from '#console/ui/list/ListScreen.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type Rollout, type RolloutCounts, readRollout } from '#contract/rollout.ts';
import {
  deviceOutcomes,
  listRolloutDevices,
  type RolloutDevice,
  readRolloutReport,
} from '#contract/rolloutReport.ts';
import { numberText } from '#rules/text/numberText.ts';
import { isMoving, rolloutPollMs } from './isMoving.ts';
import { outcomeWords } from './outcomeWords.ts';
import css from './rollouts.module.css';
import { changeText } from './rolloutWords.ts';

/** The devices that a rollout has admitted, by outcome. */
export function RolloutDevices() {
  const { projectId, rolloutId } = useParams({
    from: '/shell/projects/$projectId/channels/$channelId/rollouts/$rolloutId/devices',
  });
  const read = useRead(
    readRollout,
    { params: { rolloutId } },
    { refetchInterval: last => isMoving(last) && rolloutPollMs },
  );
  const { data, error } = read;
  if (error?.reason === 'ROLLOUT_NOT_FOUND' || (data && data.projectId !== projectId))
    return <NotFound what={`Rollout ${rolloutId} does not exist.`} />;
  if (!data) return <ReadState read={read} what="The rollout" />;
  return <DevicesOf rollout={data} />;
}

function DevicesOf({ rollout }: { rollout: Rollout }) {
  const { id: rolloutId, projectId, counts } = rollout;
  const refetchInterval = isMoving(rollout) && rolloutPollMs;
  const { data: report } = useRead(readRolloutReport, { params: { rolloutId } }, { refetchInterval });
  return (
    <ListScreen
      title={`Devices of ${changeText(rollout)}`}
      noun="devices"
      endpoint={listRolloutDevices}
      input={(page, chosen) => ({
        params: { rolloutId },
        query: { ...page, ...queryOf(chosen.outcome?.[0], chosen.code?.[0]) },
      })}
      searchHint="Tag, name, id…"
      filters={filtersOf(counts, report?.causes.map(({ code }) => code) ?? [])}
      columns={columns}
      rowKey={({ deviceId }) => deviceId}
      rowName={({ name, tag, deviceId }) => name || tag || deviceId}
      rowLink={({ deviceId }) => ({
        to: '/projects/$projectId/devices/$deviceId',
        params: { projectId, deviceId },
        hash: 'why',
      })}
      {...(refetchInterval && { refetchInterval })}
      empty={
        <EmptyState icon={<Buoy />} title="No devices admitted yet">
          The first step admits them when the rollout starts.
        </EmptyState>
      }
    />
  );
}

/** An address can contain anything; values that are not valid are left out. */
function queryOf(asked: string | undefined, code: string | undefined) {
  const outcome = deviceOutcomes.find(known => known === asked);
  return { ...(outcome && { outcome }), ...(code !== undefined && code.length <= 64 && { code }) };
}

function filtersOf(counts: RolloutCounts, codes: readonly string[]): Filter[] {
  const shown = deviceOutcomes.filter(outcome => counts[outcome] > 0);
  return [
    {
      id: 'outcome',
      label: 'Outcome',
      single: true,
      chips: shown.map(outcome => ({
        value: outcome,
        label: outcomeWords[outcome].word,
        tone: outcomeWords[outcome].tone,
        count: numberText(counts[outcome]),
      })),
    },
    { id: 'code', label: 'Cause', options: codes.map(code => ({ value: code, label: code })) },
  ];
}

const columns: readonly Column<RolloutDevice>[] = [
  {
    id: 'device',
    head: 'Device',
    width: '24%',
    cell: ({ name, tag, deviceId }) => (
      <TwoLines
        strong
        main={<span dir="auto">{name || tag || deviceId}</span>}
        sub={<span dir="auto">{name && tag ? tag : deviceId}</span>}
        mono="sub"
      />
    ),
  },
  {
    id: 'outcome',
    head: 'Outcome',
    width: '16%',
    cell: ({ outcome, state, percent, code }) => {
      const progress = [state, percent !== undefined && `${Math.round(percent)} %`]
        .filter(Boolean)
        .join(', ');
      const detail = outcome === 'active' ? progress : code && <code>{code}</code>;
      return <StatePill shape="lines" {...outcomeWords[outcome]} detail={detail} />;
    },
  },
  {
    id: 'said',
    head: 'Message',
    hasValue: ({ error }) => error !== undefined,
    cell: ({ error }) => (error ? <code className={css.said}>{error}</code> : '–'),
  },
  { id: 'step', head: 'Step', width: '7%', cell: ({ step }) => step + 1 },
  {
    id: 'admitted',
    head: 'Admitted',
    sort: 'admittedAt',
    width: '12%',
    cell: ({ admittedAt }) => <TimeAgo time={admittedAt} />,
  },
  {
    id: 'settled',
    head: 'Settled',
    width: '11%',
    cell: ({ settledAt }) => (settledAt ? <TimeAgo time={settledAt} /> : '–'),
  },
];
