import type { FieldSpec, FieldTable } from '#console/ui/fields/fields.ts';
import { secondsText } from '#console/ui/state/secondsText.ts';
import { type DeviceClass, updateMinutes } from '#contract/deviceClass.ts';

export type UpdateField = keyof typeof updateMinutes;

/** "1 h", "15 min" */
export const minutesText = (minutes: number): string => secondsText(minutes * 60);

function minutes(name: UpdateField, label: string, hint: string): FieldSpec & { edit: { label: string } } {
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
    'From the acceptance until the files are verified. After that, it is tried again later.',
  ),
  installMinutes: minutes('installMinutes', 'Install within', 'After that, it is tried again later.'),
  rebootMinutes: minutes(
    'rebootMinutes',
    'Return within',
    'A device that reboots and does not report the new version by then is lost: a rollout counts it as failed.',
  ),
};

export const updateNames = Object.keys(updateMinutes) as UpdateField[];

export function toUpdateForm(row: DeviceClass): Record<UpdateField, string> {
  const typed = updateNames.map(name => [name, String(row[name])]);
  return Object.fromEntries(typed) as Record<UpdateField, string>;
}

export function toUpdateBody(
  changed: Partial<Record<UpdateField, string>>,
): Partial<Record<UpdateField, number>> {
  return Object.fromEntries(Object.entries(changed).map(([name, text]) => [name, Number(text)]));
}
