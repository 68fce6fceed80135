import { Link } from '@tanstack/react-router';
import clamp from '#console/ui/Clamp.module.css';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Alert, AlertBy } from '#contract/alert.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './alerts.module.css';
import { byText, nameOfDevice, severityWords, stateWords } from './alertWords.ts';

/** What is wrong, with which device, since when, and who works on it. */
export function alertColumns(projectId: string): readonly Column<Alert>[] {
  return [...whatAndWhere(projectId), ...howFar];
}

function whatAndWhere(projectId: string): readonly Column<Alert>[] {
  return [
    {
      id: 'alert',
      head: 'Alert',
      width: '34%',
      cell: alert => (
        <TwoLines strong main={<span dir="auto">{alert.text}</span>} sub={<Source alert={alert} />} />
      ),
    },
    {
      id: 'severity',
      head: 'Severity',
      sort: 'severity',
      width: '11%',
      cell: ({ severity }) => <StatePill shape="lines" {...severityWords[severity]} />,
    },
    {
      id: 'device',
      head: 'Device',
      width: '18%',
      cell: alert => (
        <Link
          className={`${css.device} ${clamp.clamp}`}
          to="/projects/$projectId/devices/$deviceId"
          params={{ projectId, deviceId: alert.deviceId }}
          dir="auto"
        >
          {nameOfDevice(alert)}
        </Link>
      ),
    },
  ];
}

const howFar: readonly Column<Alert>[] = [
  {
    id: 'state',
    head: 'State',
    width: '15%',
    cell: ({ state, change }) => (
      <StatePill shape="lines" {...stateWords[state]} detail={change && `by ${shortBy(change.by)}`} />
    ),
  },
  {
    id: 'count',
    head: 'Reports',
    align: 'end',
    width: '8%',
    cell: ({ count }) => numberText(count),
  },
  {
    id: 'last',
    head: 'Last report',
    sort: 'lastAt',
    isWide: true,
    width: '11%',
    cell: ({ lastAt }) => <When time={lastAt} />,
  },
  {
    id: 'raised',
    head: 'Raised',
    sort: 'raisedAt',
    width: '11%',
    cell: ({ raisedAt }) => <When time={raisedAt} />,
  },
];

/** For a module, the id alone is enough here. */
const shortBy = (by: AlertBy) => (by.type === 'module' ? by.id : byText(by));

function When({ time }: { time: string }) {
  return (
    <span className={css.when}>
      <TimeAgo time={time} />
    </span>
  );
}

/** "event smoke", "module frost-guard"; on a phone also what has no column there. */
function Source({ alert }: { alert: Alert }) {
  const { source, state, key } = alert;
  const by = source.kind === 'module' ? `Module ${source.moduleId}` : `Event ${source.event}`;
  const isSame = source.kind === 'device' && source.event === key;
  return (
    <span dir="auto">
      <span className={css.onPhone}>
        {state === 'open' ? '' : `${stateWords[state].word} · `}
        {nameOfDevice(alert)} ·{' '}
      </span>
      {isSame || key === 'alert' ? by : `${by} · ${key}`}
    </span>
  );
}
