import type { FieldTable } from '#console/ui/fields/fields.ts';
import { descriptionMax, nameMax } from '#contract/shapes.ts';

export const keyFields: FieldTable<'name' | 'description'> = {
  name: {
    label: 'Name',
    required: true,
    max: nameMax,
    placeholder: 'billing-backend',
    hint: 'The back end that uses it. One key for each makes it easy to see who does what.',
  },
  description: {
    label: 'Description',
    control: 'text',
    max: descriptionMax,
    create: { label: 'Description (optional)', rows: 2 },
    edit: { rows: 4 },
  },
};
