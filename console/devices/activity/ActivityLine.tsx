import { memo, useState } from 'react';
import { serverNow } from '#console/core/serverClock.ts';
import { textOfJson } from '#console/ui/code/jsonText.ts';
import lines from '#console/ui/logs/Lines.module.css';
import { levelNames } from '#console/ui/logs/levelNames.ts';
import { Dot } from '#console/ui/state/StatePill.tsx';
import { millisecondText } from '#console/ui/time/dateTexts.ts';
import { logLevels } from '#contract/log.ts';
import css from './activity.module.css';
import { CommandDetail } from './CommandDetail.tsx';
import { CommandStages } from './CommandStages.tsx';
import { DesiredDetail } from './DesiredDetail.tsx';
import { DesiredStages } from './DesiredStages.tsx';
import { patchText } from './patchText.ts';
import type { Activity } from './useActivity.ts';

interface ActivityLineProps {
  deviceId: string;
  activity: Activity;
}

/** A line that arrives while the page is open pulses once. */
const newMs = 2000;

/** One line; a press unfolds its details. */
export const ActivityLine = memo(
  function ActivityLine({ deviceId, activity }: ActivityLineProps) {
    const [open, setOpen] = useState(false);
    const { ts, kind } = activity;
    const [isNew] = useState(() => serverNow() - Date.parse(ts) < newMs);
    return (
      <li className={isNew ? css.new : undefined}>
        <details className={lines.fold} onToggle={event => setOpen(event.currentTarget.open)}>
          <summary className={css.line}>
            <time dateTime={ts} title={ts.replace('T', ' ').replace('Z', ' UTC')} className={css.time}>
              {millisecondText(ts)}
            </time>
            <span className={css.name} data-kind={kind}>
              {nameOf(activity)}
            </span>
            <Said activity={activity} />
          </summary>
          {open && <Detail deviceId={deviceId} activity={activity} />}
        </details>
      </li>
    );
  },
  (a, b) => a.deviceId === b.deviceId && sourceOf(a.activity) === sourceOf(b.activity),
);

function sourceOf(activity: Activity): object {
  if (activity.kind === 'event') return activity.event;
  if (activity.kind === 'desired') return activity.change;
  return activity.kind === 'command' ? activity.command : activity.line;
}

function nameOf(activity: Activity): string {
  if (activity.kind === 'event') return activity.event.name;
  if (activity.kind === 'desired') return patchText(activity.change.patch);
  return activity.kind === 'command' ? activity.command.name : 'log';
}

function Said({ activity }: { activity: Activity }) {
  if (activity.kind === 'command') return <CommandStages command={activity.command} />;
  if (activity.kind === 'desired') return <DesiredStages change={activity.change} />;
  if (activity.kind === 'log') {
    const level = logLevels[activity.line.level] ?? 'INFO';
    return (
      <span className={css.said}>
        <b className={lines.level} data-level={level}>
          {levelNames[level]}
        </b>{' '}
        {activity.line.text}
      </span>
    );
  }
  const { payload, alert } = activity.event;
  return (
    <span className={css.said}>
      {alert && (
        <span className={css.alert}>
          <Dot
            tone={alert.severity === 'critical' ? 'danger' : alert.severity === 'warning' ? 'warn' : 'busy'}
          />
          <span className="visuallyHidden">Alert, {alert.severity}: </span>
          <span dir="auto">{alert.text}</span>
        </span>
      )}
      <span dir="ltr">{said(payload)}</span>
    </span>
  );
}

/** The alert is already shown before the payload; if there was nothing else, the text is empty. */
function said(payload: unknown): string {
  if (typeof payload !== 'object' || payload === null || !('_alert' in payload))
    return JSON.stringify(payload);
  const { _alert, ...rest } = payload;
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(rest);
}

function Detail({ deviceId, activity }: ActivityLineProps) {
  if (activity.kind === 'command') return <CommandDetail deviceId={deviceId} command={activity.command} />;
  if (activity.kind === 'desired') return <DesiredDetail change={activity.change} />;
  const value = activity.kind === 'event' ? activity.event.payload : activity.line;
  return <pre className={css.json}>{textOfJson(value)}</pre>;
}
