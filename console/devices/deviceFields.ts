import type { FieldTable } from '#console/ui/fields/fields.ts';
import { claimCodeMax, tagMax } from '#contract/device.ts';
import { descriptionMax, nameMax } from '#contract/shapes.ts';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';

export type DeviceField = 'tag' | 'name' | 'description' | 'channel' | 'claimCode';

export const deviceFields: FieldTable<DeviceField> = {
  tag: {
    label: 'Tag',
    mono: true,
    max: tagMax,
    create: {
      placeholder: 'hall-01',
      hint: 'Your own mark for it: a serial number, a place. You find it by this.',
    },
  },
  name: { label: 'Name', max: nameMax, create: { label: 'Name (optional)', hint: 'As people call it.' } },
  description: { label: 'Description', control: 'text', rows: 2, max: descriptionMax, create: false },
  channel: {
    label: 'Channel',
    mono: true,
    required: true,
    max: idMax,
    create: {
      check: channel => (chosenIdPattern.test(channel) ? undefined : 'INVALID_FORMAT'),
      hint: 'Where its firmware comes from; stable unless you choose otherwise.',
    },
  },
  claimCode: {
    label: 'Claim code',
    mono: true,
    max: claimCodeMax,
    hint: '6 to 32 letters and digits. Empty: a new one is made.',
    create: false,
  },
};
