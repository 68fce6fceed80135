import { nameOfDevice } from '#console/devices/alerts/alertWords.ts';
import { deviceName } from '#console/devices/deviceWords.ts';
import { hourText } from '#console/ui/time/dateTexts.ts';
import { durationText, relativeTime } from '#console/ui/time/TimeAgo.tsx';
import { type Finding, findingsMax } from '#contract/finding.ts';
import type { RolloutRow } from '#contract/rollout.ts';
import { flappingChangesMax } from '#rules/devices/flapping.ts';
import { listText } from '#rules/text/listText.ts';
import { numberText } from '#rules/text/numberText.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { isExact, isOfDevices } from './findingLinks.ts';

/** "25 devices lost their connection at 06:12", "Cellar has gone quiet" */
export function titleOf(finding: Finding, mayStart = true): string {
  const { signal, alerts, rollout, since } = finding;
  const each = (one: string, more: string) => `${whoOf(finding)} ${finding.count === 1 ? one : more}`;
  const many = (one: string, more: string) => `${countText(finding)} ${finding.count === 1 ? one : more}`;
  switch (signal) {
    case 'lost':
      return `${each('lost its connection', 'lost their connection')} at ${hourText(since)}`;
    case 'offline':
      return many('fewer device connected', 'fewer devices connected');
    case 'rollout':
      return rollout ? rolloutTitle(rollout, mayStart) : '';
    case 'alert':
      return alerts ? alertTitle(alerts) : many('non-critical alert', 'non-critical alerts');
    case 'updateFailed':
      return many('update failed', 'updates failed');
    case 'commandFailed':
      return many('command failed', 'commands failed');
    case 'quarantine':
      return many('message in quarantine', 'messages in quarantine');
    case 'flapping':
      return each('is flapping', 'are flapping');
    case 'quiet':
      return each('has gone quiet', 'have gone quiet');
    case 'never':
      return many('device never connected', 'devices never connected');
  }
}

/** "Hall thermostat", "Hall and Attic", "25 devices" */
function whoOf(finding: Finding): string {
  const { devices, count } = finding;
  if (devices.length === count) return listText(devices.map(deviceName));
  return `${countText(finding)} ${count === 1 ? 'device' : 'devices'}`;
}

const countText = ({ signal, count }: Finding) =>
  `${numberText(count)}${count >= findingsMax && !isExact(signal) ? '+' : ''}`;

function rolloutTitle(
  { bundle, channel, isPaused, pausedBy }: NonNullable<Finding['rollout']>,
  mayStart: boolean,
): string {
  const what = `the rollout of ${bundle} to ${channel}`;
  if (!isPaused) return `${what.replace('the', 'The')} waits for ${mayStart ? 'your approval' : 'approval'}`;
  return `${pausedBy === 'a person' ? 'A person' : (pausedBy ?? 'A gate')} paused ${what}`;
}

/** "Valve motor at 71 °C on Hall thermostat"; a text that names the device says it once. */
function alertTitle({ newest, devices }: NonNullable<Finding['alerts']>): string {
  const name = nameOfDevice(newest);
  if (devices > 1) return `${newest.text} on ${numberText(devices)} devices`;
  return newest.text.includes(name) ? newest.text : `${newest.text} on ${name}`;
}

/** Why it is a finding, in one or two sentences. */
export function reasonOf(finding: Finding, now: number, rollout?: RolloutRow): string {
  const { signal, alerts, quiet, since } = finding;
  if (alerts) return alertReason(alerts, now);
  if (finding.rollout) return rolloutReason(finding.rollout, rollout);
  if (signal === 'quiet' && quiet)
    return `${quiet.isConnected ? 'Connected' : 'Disconnected'} and silent since ${hourText(since)}; it usually reports every ${everyText(quiet.everyS)}.`;
  const causes = finding.causes.map(({ text, count }) => (count > 1 ? `${text} (${count})` : text));
  if (signal === 'lost' || signal === 'offline') return `${causes.join(' · ')}.`;
  const who = isNamed(finding) ? '' : namesOf(finding);
  if (signal === 'flapping')
    return `${who ? `${who} connected` : 'Connected'} or disconnected more than ${flappingChangesMax} times in an hour.`;
  if (signal === 'quiet') return `${who ? `${who}: s` : 'S'}ilent for far longer than usual.`;
  const what = causes.join(' · ');
  return what && who ? `${what}${causes.length > 1 ? ',' : ''} on ${who}` : what || who;
}

/** "40 s", "5 min" */
const everyText = (seconds: number) =>
  durationText(seconds < 90 ? seconds * 1000 : Math.round(seconds / 60) * minuteMs);

/** Whether the title has the names already. */
const isNamed = ({ signal, devices, count }: Finding) => isOfDevices(signal) && devices.length === count;

function namesOf({ signal, devices, count }: Finding): string {
  const more = isOfDevices(signal) ? count - devices.length : 0;
  return listText([...devices.map(deviceName), ...(more > 0 ? [`${numberText(more)} more`] : [])]);
}

function alertReason({ alerts, newest, lastAt, raisedAt }: NonNullable<Finding['alerts']>, now: number) {
  const who = `Critical, nobody has acknowledged ${alerts === 1 ? 'it' : 'them'}.`;
  if (alerts > 1) return `${who} The newest is from ${nameOfDevice(newest)}, ${relativeTime(lastAt, now)}.`;
  if (newest.count < 2 || lastAt === raisedAt) return who;
  return `${who} Reported ${numberText(newest.count)} times, last ${relativeTime(lastAt, now)}.`;
}

function rolloutReason(
  { isPaused, pausedBy, cause, step, stepCount }: NonNullable<Finding['rollout']>,
  row: RolloutRow | undefined,
): string {
  const counts = row && countsText(row);
  if (!isPaused) {
    const done = counts ? `Step ${step + 1} has finished: ${counts}.` : `Step ${step + 1} has finished.`;
    return `${done} Step ${step + 2} of ${stepCount} has not started.`;
  }
  const why = pausedBy === undefined ? cause : cause && `“${cause}”`;
  const sofar = counts && `${counts.charAt(0).toUpperCase()}${counts.slice(1)}; no others follow.`;
  return [why, sofar].filter(Boolean).join(' ');
}

/** "8 of 33 updated, 1 failed" */
function countsText({ counts: { updated, admitted, failed } }: Pick<RolloutRow, 'counts'>): string {
  if (admitted === 0) return 'no device is updated yet';
  const failures = failed > 0 ? `${numberText(failed)} failed` : 'no failures';
  return `${numberText(updated)} of ${numberText(admitted)} updated, ${failures}`;
}

const factWords: Record<Finding['common'][number]['fact'], string> = {
  reason: 'Reason',
  class: 'Class',
  firmware: 'Firmware',
  alert: 'Last alert',
  home: 'Home',
  channel: 'Channel',
};
export const factLabel = ({ fact }: Finding['common'][number]) => factWords[fact];
