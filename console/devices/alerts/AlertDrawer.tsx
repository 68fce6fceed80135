import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Dialog } from '#console/ui/dialog/Dialog.tsx';
import { Facts } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type AlertDetail, changeAlert, readAlert } from '#contract/alert.ts';
import { numberText } from '#rules/text/numberText.ts';
import { AlertActions } from './AlertActions.tsx';
import css from './alerts.module.css';
import { byText, changeText, nameOfDevice, severityWords, stateWords } from './alertWords.ts';

interface AlertDrawerProps {
  projectId: string;
  alertId: string;
  onClose: () => void;
}

/** One alert beside the list: what it is about, the possible actions, and its history. */
export function AlertDrawer({ projectId, alertId, onClose }: AlertDrawerProps) {
  const read = useRead(readAlert, { params: { alertId } });
  const { data: alert } = read;
  const mayChange = useMay(changeAlert);
  return (
    <Dialog title="Alert" shape="broadDrawer" onClose={onClose}>
      <div className={css.body}>
        <ReadState read={read} what="The alert" skeleton={<Skeleton lines={6} />} />
        {alert && (
          <>
            <div>
              <div className={css.pills}>
                <StatePill {...stateWords[alert.state]} />
                <StatePill {...severityWords[alert.severity]} />
              </div>
              <p className={css.text} dir="auto">
                {alert.text}
              </p>
            </div>
            {mayChange && <AlertActions projectId={projectId} alert={alert} />}
            <Facts facts={factsOf(projectId, alert)} />
            <section aria-label="History">
              <h3>History</h3>
              <History alert={alert} />
            </section>
          </>
        )}
      </div>
    </Dialog>
  );
}

function factsOf(projectId: string, alert: AlertDetail) {
  const { source, deviceId, homeId, key, count, lastAt, id } = alert;
  const device = (
    <Link to="/projects/$projectId/devices/$deviceId" params={{ projectId, deviceId }} dir="auto">
      {nameOfDevice(alert)}
    </Link>
  );
  const home = homeId !== undefined && (
    <Link to="/projects/$projectId/homes/$homeId" params={{ projectId, homeId }}>
      {homeId}
    </Link>
  );
  const by =
    source.kind === 'module' ? (
      <Link
        to="/projects/$projectId/smart_modules/$moduleId"
        params={{ projectId, moduleId: source.moduleId }}
      >
        {source.moduleId}
      </Link>
    ) : (
      <code>{source.event}</code>
    );
  return [
    ['Device', device],
    ...(home ? ([['Home', home]] as const) : []),
    [source.kind === 'module' ? 'Smart module' : 'Event', by],
    ['Key', <code key="key">{key}</code>],
    ['Reports', `${numberText(count)}`],
    ['Last report', <TimeAgo key="last" time={lastAt} />],
    ['Id', <CopyText key="id" text={id} label="Copy id" />],
  ] as const;
}

/** Newest first; the last entry is how the alert was raised. */
function History({ alert }: { alert: AlertDetail }) {
  const { changes, raisedAt, source, deviceId } = alert;
  const type = source.kind === 'module' ? 'module' : 'device';
  const raiser = byText({ type, id: source.kind === 'module' ? source.moduleId : deviceId });
  return (
    <ol className={css.history}>
      {changes.toReversed().map(change => (
        <li key={`${change.at} ${change.what}`}>
          <span dir="auto">{changeText(change)}</span>
          <span className={css.at}>
            <TimeAgo time={change.at} />
          </span>
          {change.note && (
            <p className={css.note} dir="auto">
              {change.note}
            </p>
          )}
        </li>
      ))}
      <li>
        <span>Raised by {raiser}</span>
        <span className={css.at}>
          <TimeAgo time={raisedAt} />
        </span>
      </li>
    </ol>
  );
}
