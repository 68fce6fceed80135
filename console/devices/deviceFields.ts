import type { FieldTable } from '#console/ui/fields/fields.ts';
import { tagMax } from '#contract/device.ts';
import { descriptionMax, nameMax } from '#contract/shapes.ts';
import { claimCodeMax } from '#rules/devices/claimCode.ts';

export type DeviceField = 'tag' | 'name' | 'description' | 'channel' | 'claimCode';

export const deviceFields: FieldTable<DeviceField> = {
  tag: {
    label: 'Tag',
    mono: true,
    max: tagMax,
    create: {
      required: true,
      placeholder: 'hall-01',
      hint: 'Your own label, such as a serial number or location. Use it to find the device.',
    },
  },
  name: { label: 'Name', max: nameMax, create: { label: 'Name (optional)', hint: 'A readable name.' } },
  description: { label: 'Description', control: 'text', rows: 2, max: descriptionMax, create: false },
  channel: {
    label: 'Channel',
    control: 'choice',
    mono: true,
    required: true,
    hint: 'Where its firmware comes from.',
  },
  claimCode: {
    label: 'Claim code',
    mono: true,
    max: claimCodeMax,
    hint: '6 to 32 letters and digits. Leave empty to generate a new one.',
    create: false,
  },
};
