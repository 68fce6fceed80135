import { roleWords } from '#console/core/membership/roleWords.ts';
import { totalOf } from '#console/devices/states/deviceStates.ts';
import { StateStripe } from '#console/devices/states/StateBar.tsx';
import { Sparkline } from '#console/ui/chart/Bars.tsx';
import { firstLine } from '#console/ui/firstLine.ts';
import type { Column } from '#console/ui/list/Table.tsx';
import { Dash, TwoLines } from '#console/ui/list/TwoLines.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { Tile } from '#console/ui/Tile.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { findingsMax } from '#contract/finding.ts';
import type { Project } from '#contract/project.ts';
import { numberText } from '#rules/text/numberText.ts';
import { useFleet } from './Fleets.tsx';
import css from './overview.module.css';

/** Which product it is, and the health of its fleet. */
export const projectColumns: readonly Column<Project>[] = [
  {
    id: 'name',
    head: 'Project',
    sort: 'name',
    cell: ({ id, name, description }) => (
      <span className={css.project}>
        <Tile size="large" name={name} id={id} />
        <TwoLines
          strong
          main={<span dir="auto">{name}</span>}
          sub={description && <span dir="auto">{firstLine(description)}</span>}
        />
      </span>
    ),
  },
  { id: 'devices', head: 'Devices', width: '20%', cell: ({ id }) => <Connected projectId={id} /> },
  { id: 'day', head: 'Last 24 h', width: '13%', cell: ({ id }) => <Day projectId={id} /> },
  { id: 'alerts', head: 'Alerts, 24 h', width: '12%', cell: ({ id }) => <Alerts projectId={id} /> },
  { id: 'role', head: 'Your role', width: '11%', cell: ({ role }) => roleWords[role] },
  {
    id: 'created',
    head: 'Created',
    sort: 'createdAt',
    width: '12%',
    cell: ({ createdAt }) => <TimeAgo time={createdAt} />,
  },
];

function Connected({ projectId }: { projectId: string }) {
  const fleet = useFleet(projectId);
  if (fleet === null) return <Dash said="Could not be loaded" />;
  if (!fleet) return null;
  const total = totalOf(fleet.states);
  if (total === 0) return <span className={css.connected}>no devices</span>;
  return (
    <span className={css.connected}>
      <span>
        <b>{numberText(fleet.states.connected)}</b> of {numberText(total)}
        <span className={css.exact}> connected</span>
      </span>
      <StateStripe states={fleet.states} />
    </span>
  );
}

function Day({ projectId }: { projectId: string }) {
  const fleet = useFleet(projectId);
  if (!fleet || fleet.connected.length < 2) return <span className={css.quiet}>–</span>;
  return <Sparkline points={fleet.connected} label="Connected devices over the last 24 hours" />;
}

function Alerts({ projectId }: { projectId: string }) {
  const alerts = useFleet(projectId)?.alerts ?? 0;
  if (alerts === 0) return <span className={css.quiet}>–</span>;
  const count = alerts >= findingsMax ? `${numberText(findingsMax)}+` : numberText(alerts);
  return <StatePill shape="plain" tone="danger" word={count} />;
}
