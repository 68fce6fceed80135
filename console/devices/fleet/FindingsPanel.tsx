import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { deviceName } from '#console/devices/deviceWords.ts';
import { ClockIcon, FlapIcon, OfflineIcon, ShieldIcon } from '#console/devices/states/signalIcons.tsx';
import { Buoy } from '#console/ui/drawings.tsx';
import { BellIcon, BoltIcon, ChevronRightIcon, FirmwareIcon } from '#console/ui/icons/icons.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { DeviceState } from '#contract/device.ts';
import { type Finding, findingsMax, listFindings } from '#contract/fleet.ts';
import { flappingChangesMax } from '#rules/devices/flapping.ts';
import { listText } from '#rules/text/listText.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './fleet.module.css';

const askAgainMs = 20_000;

/** What needs attention, the most urgent first; each line links to the devices it is about. */
export function FindingsPanel({ projectId }: { projectId: string }) {
  const read = useRead(listFindings, { params: { projectId } }, { refetchInterval: askAgainMs });
  const { data } = read;
  const hasCritical = data?.some(({ severity }) => severity === 'critical') ?? false;
  return (
    <Panel title="Needs attention" note={data && data.length > 0 && data.length} flush>
      <ReadState
        read={read}
        what="What needs attention"
        skeleton={<Skeleton shape="rows" lines={1} unsized />}
      />
      {data?.length === 0 && (
        <p className={css.calm}>
          <Buoy size={28} />
          Nothing needs attention.
        </p>
      )}
      {data && data.length > 0 && (
        <ul className={css.findings}>
          {data.map(finding => (
            <FindingLine
              key={finding.rollout?.id ?? [finding.signal, finding.severity, finding.deviceClass].join(' ')}
              projectId={projectId}
              finding={finding}
              isBelowCritical={finding.signal === 'alert' && !finding.severity && hasCritical}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface FindingLineProps {
  projectId: string;
  finding: Finding;
  /** True: alerts beside a line of their own for critical ones. */
  isBelowCritical: boolean;
}

function FindingLine({ projectId, finding, isBelowCritical }: FindingLineProps) {
  const { signal, severity, at } = finding;
  const { icon: Icon, tone } = looks[signal];
  const { rollout, deviceClass } = finding;
  const search = { ...(searches[signal] ?? { signal }), ...(deviceClass && { class: deviceClass }) };
  const about =
    signal === 'alert'
      ? ({
          to: '/projects/$projectId/alerts',
          params: { projectId },
          search: { state: 'open', severity } as never,
        } as const)
      : rollout === undefined
        ? ({ to: '/projects/$projectId/devices', params: { projectId }, search: search as never } as const)
        : ({
            to: '/projects/$projectId/channels/$channelId/rollouts/$rolloutId',
            params: { projectId, channelId: rollout.channelId, rolloutId: rollout.id },
          } as const);
  return (
    <li>
      <Link {...about} className={css.finding}>
        <span className={css.findingIcon} data-tone={tone}>
          <Icon size={16} />
        </span>
        <b>{titleOf(finding, isBelowCritical)}</b>
        <span className={css.findingText} dir={finding.causes.length > 0 ? 'auto' : 'ltr'}>
          {textOf(finding)}
        </span>
        <span className={css.findingTime}>
          {signal === 'never' && 'created '}
          <TimeAgo time={at} />
        </span>
        <ChevronRightIcon size={16} />
      </Link>
    </li>
  );
}

/** The search for the devices, unless they are those with that signal. */
const searches: Partial<Record<Finding['signal'], { state: DeviceState; sort?: string }>> = {
  lost: { state: 'disconnected', sort: 'lastSeen:desc' },
  offline: { state: 'disconnected', sort: 'lastSeen:desc' },
  never: { state: 'never' },
};

const looks = {
  lost: { icon: OfflineIcon, tone: 'danger' },
  offline: { icon: OfflineIcon, tone: 'danger' },
  rollout: { icon: BoltIcon, tone: 'warn' },
  alert: { icon: BellIcon, tone: 'danger' },
  updateFailed: { icon: FirmwareIcon, tone: 'danger' },
  commandFailed: { icon: BoltIcon, tone: 'danger' },
  quarantine: { icon: ShieldIcon, tone: 'warn' },
  flapping: { icon: FlapIcon, tone: 'warn' },
  never: { icon: ClockIcon, tone: 'off' },
} as const;

function titleOf({ signal, severity, count, rollout }: Finding, isBelowCritical: boolean): string {
  const many = (one: string, more: string) =>
    `${numberText(count)}${count >= findingsMax && !searches[signal] ? '+' : ''} ${count === 1 ? one : more}`;
  switch (signal) {
    case 'lost':
      return many('device lost its connection', 'devices lost their connection');
    case 'offline':
      return many('fewer device connected', 'fewer devices connected');
    case 'rollout':
      return rollout?.isPaused ? 'Rollout paused' : 'Rollout waits for you';
    case 'alert':
      if (severity) return many('critical alert', 'critical alerts');
      return isBelowCritical ? many('other alert', 'other alerts') : many('open alert', 'open alerts');
    case 'updateFailed':
      return many('update failed', 'updates failed');
    case 'commandFailed':
      return many('command failed', 'commands failed');
    case 'quarantine':
      return many('message in quarantine', 'messages in quarantine');
    case 'flapping':
      return many('device flapping', 'devices flapping');
    case 'never':
      return many('device never connected', 'devices never connected');
  }
}

/** "Valve motor at 71 °C on Hall thermostat and Back door" */
function textOf({ signal, devices, causes, count }: Finding): string {
  const names = devices.map(deviceName);
  const more = signal === 'flapping' || signal === 'never' ? count - names.length : 0;
  const all = more > 0 ? [...names, `${numberText(more)} more`] : names;
  const who = listText(all);
  const [first, ...others] = causes;
  if (!first)
    return signal === 'flapping'
      ? `${who} connected or disconnected more than ${flappingChangesMax} times in an hour`
      : who;
  const what = [first, ...others].map(({ text, count: n }) => (n > 1 ? `${text} (${n})` : text)).join(' · ');
  if (signal === 'lost') return who ? `${what}: ${who}` : what;
  // With several causes, all devices come after the last cause.
  return who ? `${what}${others.length > 0 ? ',' : ''} on ${who}` : what;
}
