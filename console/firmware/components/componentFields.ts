import type { FieldTable } from '#console/ui/fields/fields.ts';
import { componentNameMax } from '#contract/component.ts';
import { descriptionMax } from '#contract/shapes.ts';

export const componentFields: FieldTable<'name' | 'description'> = {
  name: {
    label: 'Name',
    mono: true,
    required: true,
    max: componentNameMax,
    placeholder: 'gateway-os',
    hint: 'Devices know the component by this name, and may name a file after it: no slash, and no dot at the beginning. It cannot change once a bundle contains one of its versions.',
  },
  description: {
    label: 'Description',
    control: 'text',
    max: descriptionMax,
    create: {
      label: 'Description (optional)',
      hint: 'Which part of the device this is.',
    },
    edit: { rows: 4 },
  },
};
