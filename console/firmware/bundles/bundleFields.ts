import type { FieldTable } from '#console/ui/fields/fields.ts';
import { bundleNameMax } from '#contract/bundle.ts';
import { descriptionMax } from '#contract/shapes.ts';

export const bundleFields: FieldTable<'name' | 'description'> = {
  name: {
    label: 'Name',
    required: true,
    max: bundleNameMax,
    placeholder: '2026.11',
    hint: 'Shown wherever you choose a bundle. You can change it later, but not the contents of the bundle.',
  },
  description: {
    label: 'Description',
    control: 'text',
    max: descriptionMax,
    create: { label: 'Description (optional)', hint: 'What is new in this bundle.', rows: 2 },
    edit: { rows: 4 },
  },
};
