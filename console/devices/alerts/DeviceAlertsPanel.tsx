import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { buttonClass } from '#console/ui/Button.tsx';
import clamp from '#console/ui/Clamp.module.css';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { Dot } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type Alert, listAlerts } from '#contract/alert.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './alerts.module.css';
import { severityWords, stateWords } from './alertWords.ts';

const shown = 5;

interface DeviceAlertsPanelProps {
  projectId: string;
  deviceId: string;
}

/** What is wrong with one device: the newest open alerts, and a link to all of them. */
export function DeviceAlertsPanel({ projectId, deviceId }: DeviceAlertsPanelProps) {
  const query = { deviceId, limit: shown };
  const read = useRead(listAlerts, { params: { projectId }, query });
  const { data } = read;
  const all = (
    <Link
      to="/projects/$projectId/alerts"
      params={{ projectId }}
      search={{ device: deviceId } as never}
      className={buttonClass('quiet')}
    >
      All alerts
    </Link>
  );
  if (data?.total === 0) return <LinePanel title="Alerts">This device has not raised any alerts.</LinePanel>;
  return (
    <Panel title="Alerts" note={data && numberText(data.total)} flush action={all}>
      <ReadState read={read} what="The alerts" skeleton={<Skeleton shape="rows" lines={2} unsized />} />
      {data && (
        <ul className={css.panel}>
          {data.items.map(alert => (
            <li key={alert.id}>
              <AlertLine projectId={projectId} alert={alert} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function AlertLine({ projectId, alert }: { projectId: string; alert: Alert }) {
  const { id, deviceId, severity, state, text, lastAt } = alert;
  const isOver = state === 'resolved';
  return (
    <Link
      className={css.line}
      to="/projects/$projectId/alerts"
      params={{ projectId }}
      search={{ device: deviceId, alert: id } as never}
    >
      <Dot tone={isOver ? 'off' : severityWords[severity].tone} />
      <span className="visuallyHidden">{severityWords[severity].word}: </span>
      <b dir="auto" className={clamp.clamp} title={text}>
        {text}
      </b>
      <span className={css.when}>
        {state === 'open' ? '' : `${stateWords[state].word} · `}
        <TimeAgo time={lastAt} />
      </span>
    </Link>
  );
}
