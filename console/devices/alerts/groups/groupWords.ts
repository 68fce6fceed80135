import { nameOfDevice, severityWords } from '#console/devices/alerts/alertWords.ts';
import type { AlertState } from '#contract/alert.ts';
import type { AlertGroup, AlertGrouping } from '#contract/alertGroup.ts';
import { numberText } from '#rules/text/numberText.ts';

/** The choices of how alerts are listed; `none` is one row for each alert, and whatever their state. */
export const groupings: readonly { value: AlertGrouping | 'none'; label: string }[] = [
  { value: 'cause', label: 'By cause' },
  { value: 'device', label: 'By device' },
  { value: 'none', label: 'None' },
];

/** "12 open, 4 causes" */
export function countsText(by: AlertGrouping, state: AlertState, alerts: number, total: number): string {
  const groups = by === 'cause' ? (total === 1 ? 'cause' : 'causes') : total === 1 ? 'device' : 'devices';
  return `${numberText(alerts)} ${state}, ${numberText(total)} ${groups}`;
}

export function titleOf(by: AlertGrouping, { newest }: AlertGroup): string {
  return by === 'device' ? nameOfDevice(newest) : newest.text;
}

/** "Module frost-guard", "Event overheat from the device"; of a device, what it reported last. */
export function subOf(by: AlertGrouping, { newest, alerts }: AlertGroup): string {
  if (by === 'device')
    return alerts === 1 ? newest.text : `${newest.text}, and ${numberText(alerts - 1)} more`;
  const { source } = newest;
  return source.kind === 'module' ? `Module ${source.moduleId}` : `Event ${source.event} from the device`;
}

/** What a phone shows in place of the columns: "Critical · Hall thermostat". */
export function shortOf(by: AlertGrouping, group: AlertGroup): string {
  const { source } = group.newest;
  const rule = source.kind === 'module' ? [source.moduleId] : [];
  const parts = by === 'device' ? [group.newest.text] : [devicesText(group), ...rule];
  return [severityWords[group.severity].word, ...parts].join(' · ');
}

/** "9 devices", or the name of the only one. */
export function devicesText({ devices, newest }: AlertGroup): string {
  return devices === 1 ? nameOfDevice(newest) : `${numberText(devices)} devices`;
}

export const reportsText = (count: number) => `${numberText(count)} ${count === 1 ? 'report' : 'reports'}`;
