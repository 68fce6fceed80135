import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ActivityLine } from '#console/devices/activity/ActivityLine.tsx';
import css from '#console/devices/activity/activity.module.css';
import type { Activity } from '#console/devices/activity/useActivity.ts';
import { textOfJson } from '#console/ui/code/jsonText.ts';
import lines from '#console/ui/logs/Lines.module.css';
import { LogDetail } from '#console/ui/logs/LogDetail.tsx';
import { levelNames } from '#console/ui/logs/levelNames.ts';
import { changesInShort } from '#console/ui/logs/logChanges.ts';
import { NamedText } from '#console/ui/logs/logNames.tsx';
import { Dot } from '#console/ui/state/StatePill.tsx';
import { millisecondText } from '#console/ui/time/dateTexts.ts';
import type { Device } from '#contract/device.ts';
import { type LogEntry, logLevels } from '#contract/log.ts';
import type { TimelineItem } from '#contract/timeline.ts';
import { firmwareText } from './timelineWords.ts';

interface TimelineLineProps {
  device: Device;
  /** The device's own id in sentences. */
  names: ReadonlyMap<string, string>;
  item: TimelineItem;
}

/** One line; a press unfolds its details. */
export function TimelineLine({ device, names, item }: TimelineLineProps) {
  if (item.kind === 'event' || item.kind === 'command' || item.kind === 'desired')
    return <ActivityLine deviceId={device.id} activity={activityOf(item)} />;
  if (item.kind === 'log' || item.kind === 'change')
    return (
      <Fold
        at={item.at}
        kind={item.kind}
        name={item.kind === 'log' ? item.entry.action : 'changed'}
        said={<EntrySaid entry={item.entry} names={names} />}
      >
        <LogDetail entry={item.entry} />
      </Fold>
    );
  const { projectId } = device;
  if (item.kind === 'alert') {
    const { severity, text, state } = item.alert;
    const tone = severity === 'critical' ? 'danger' : severity === 'warning' ? 'warn' : 'busy';
    return (
      <Fold
        at={item.at}
        kind="alert"
        name="alert"
        said={
          <span className={css.alert}>
            <Dot tone={tone} />
            <span className="visuallyHidden">{severity}: </span>
            <span dir="auto">{text}</span>
          </span>
        }
      >
        <p className={css.none}>
          {severity}, now {state}.{' '}
          <Link to="/projects/$projectId/alerts" params={{ projectId }} search={{ alert: item.id } as never}>
            Open the alert
          </Link>
        </p>
      </Fold>
    );
  }
  return (
    <Fold at={item.at} kind="firmware" name="firmware" said={firmwareText(item.step, item.update)}>
      <pre className={css.json}>{textOfJson(item.update)}</pre>
    </Fold>
  );
}

function activityOf(item: Extract<TimelineItem, { kind: 'event' | 'command' | 'desired' }>): Activity {
  const { id, at: ts } = item;
  if (item.kind === 'event') return { id, ts, kind: 'event', event: item.event };
  if (item.kind === 'command') return { id, ts, kind: 'command', command: item.command };
  return { id, ts, kind: 'desired', change: item.change };
}

interface FoldProps {
  at: string;
  kind: string;
  name: string;
  said: ReactNode;
  children: ReactNode;
}

function Fold({ at, kind, name, said, children }: FoldProps) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <details className={lines.fold} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary className={css.line}>
          <time dateTime={at} title={at.replace('T', ' ').replace('Z', ' UTC')} className={css.time}>
            {millisecondText(at)}
          </time>
          <span className={css.name} data-kind={kind}>
            {name}
          </span>
          <span className={css.said}>{said}</span>
        </summary>
        {open && children}
      </details>
    </li>
  );
}

function EntrySaid({ entry, names }: { entry: LogEntry; names: ReadonlyMap<string, string> }) {
  const level = logLevels[entry.level] ?? 'INFO';
  const changed = changesInShort(entry.detail?.before, entry.detail?.after);
  const isGrave = level === 'WARN' || level === 'ERROR';
  return (
    <>
      {isGrave && (
        <b className={lines.level} data-level={level}>
          {levelNames[level]}{' '}
        </b>
      )}
      <NamedText text={entry.text} names={names} />
      {changed && ` ${changed}`}
      {entry.actor.callerType !== 'device' && entry.actor.displayName && ` by ${entry.actor.displayName}`}
    </>
  );
}
