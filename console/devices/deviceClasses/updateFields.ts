import type { FieldSpec, FieldTable } from '#console/ui/fields/fields.ts';
import { secondsText } from '#console/ui/time/secondsText.ts';
import { type DeviceClass, type editDeviceClass, updateMinutes } from '#contract/deviceClass.ts';
import type { BodyOf } from '#contract/endpoint.ts';

export type UpdateField = MinutesField | 'sendsDeltas';
type MinutesField = keyof typeof updateMinutes;

/** The label of each choice, by value. */
export const downloadChoices = { no: 'Whole files', yes: 'What changed, where possible' } as const;

/** "1 h", "15 min" */
export const minutesText = (minutes: number): string => secondsText(minutes * 60);

function minutes(name: MinutesField, label: string, hint: string): FieldSpec & { edit: { label: string } } {
  const { min, max, usual } = updateMinutes[name];
  return {
    label,
    edit: { label: `${label}, in minutes` },
    hint: `${hint} ${min} to ${max}; ${usual} unless you change it.`,
    required: true,
    check: text =>
      /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max ? undefined : 'OUT_OF_RANGE',
    say: text => minutesText(Number(text)),
  };
}

export const updateFields: FieldTable<UpdateField> = {
  offerMinutes: minutes('offerMinutes', 'Accept within', 'After that, an update is offered again later.'),
  downloadMinutes: minutes(
    'downloadMinutes',
    'Download within',
    'From acceptance until the files are verified. After that, the update is retried later.',
  ),
  installMinutes: minutes('installMinutes', 'Install within', 'After that, the update is retried later.'),
  rebootMinutes: minutes(
    'rebootMinutes',
    'Return within',
    'A device that has not reported the new version by then counts as lost, and a rollout counts it as failed.',
  ),
  sendsDeltas: {
    label: 'Download',
    control: 'choice',
    hint: 'Devices that report the checksum of what they run can build the new file from the changes alone. They verify it like any other file, and download the whole file if that fails.',
  },
};

export const minutesNames = Object.keys(updateMinutes) as MinutesField[];

export function toUpdateForm(row: DeviceClass): Record<UpdateField, string> {
  const typed = minutesNames.map(name => [name, String(row[name])]);
  const sendsDeltas = downloadChoices[row.sendsDeltas ? 'yes' : 'no'];
  return { ...(Object.fromEntries(typed) as Record<MinutesField, string>), sendsDeltas };
}

export function toUpdateBody(changed: Partial<Record<UpdateField, string>>): BodyOf<typeof editDeviceClass> {
  const { sendsDeltas, ...minutes } = changed;
  const typed = Object.entries(minutes).map(([name, text]) => [name, Number(text)]);
  return {
    ...Object.fromEntries(typed),
    ...(sendsDeltas !== undefined && { sendsDeltas: sendsDeltas === downloadChoices.yes }),
  };
}
