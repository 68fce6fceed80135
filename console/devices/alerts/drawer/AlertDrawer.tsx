import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import css from '#console/devices/alerts/alerts.module.css';
import {
  byText,
  changeText,
  nameOfDevice,
  severityWords,
  stateWords,
} from '#console/devices/alerts/alertWords.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Dialog } from '#console/ui/dialog/Dialog.tsx';
import { Facts } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { LastsSince, TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type AlertDetail, changeAlert, readAlert } from '#contract/alert.ts';
import { numberText } from '#rules/text/numberText.ts';
import { AlertActions } from './AlertActions.tsx';
import { AlertContext } from './AlertContext.tsx';
import { AlertValue } from './AlertValue.tsx';
import { DrawerPlace } from './DrawerPlace.tsx';
import drawer from './drawer.module.css';

interface AlertDrawerProps {
  projectId: string;
  alertId: string;
  onClose: () => void;
}

/** One alert beside the list: what it is about, the possible actions, and its history. */
export function AlertDrawer({ projectId, alertId, onClose }: AlertDrawerProps) {
  return (
    <Dialog title="Alert" shape="broadDrawer" onClose={onClose}>
      <div className={css.body}>
        <DrawerPlace alertId={alertId} />
        {/* Nothing that was typed for one alert stays for the next. */}
        <Content key={alertId} projectId={projectId} alertId={alertId} />
      </div>
    </Dialog>
  );
}

function Content({ projectId, alertId }: Omit<AlertDrawerProps, 'onClose'>) {
  const read = useRead(readAlert, { params: { alertId } });
  const { data: alert } = read;
  const mayChange = useMay(changeAlert);
  if (!alert) return <ReadState read={read} what="The alert" skeleton={<Skeleton lines={6} />} />;
  return (
    <>
      <Head projectId={projectId} alert={alert} />
      <AlertValue projectId={projectId} alert={alert} />
      <AlertContext projectId={projectId} alert={alert} />
      {mayChange && <AlertActions projectId={projectId} alert={alert} />}
      <Facts facts={factsOf(projectId, alert)} />
      <section aria-label="History">
        <h3>History</h3>
        <History alert={alert} />
      </section>
    </>
  );
}

/** What is wrong, how bad it is, for how long, and with which device. */
function Head({ projectId, alert }: { projectId: string; alert: AlertDetail }) {
  const { deviceId, state, severity, raisedAt, source } = alert;
  return (
    <div>
      <div className={drawer.top}>
        <StatePill {...severityWords[severity]} />
        <StatePill
          {...stateWords[state]}
          detail={state === 'resolved' ? undefined : <LastsSince time={raisedAt} />}
        />
      </div>
      <p className={css.text} dir="auto">
        {alert.text}
      </p>
      <p className={`${drawer.about} ${drawer.inText}`}>
        <Link to="/projects/$projectId/devices/$deviceId" params={{ projectId, deviceId }} dir="auto">
          {nameOfDevice(alert)}
        </Link>{' '}
        · raised <TimeAgo time={raisedAt} /> by {source.kind === 'module' ? source.moduleId : 'the device'}
      </p>
    </div>
  );
}

function factsOf(projectId: string, alert: AlertDetail) {
  const { source, homeId, key, count, lastAt, id } = alert;
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
