import type { FieldTable } from '#console/ui/fields/fields.ts';
import { descriptionMax, nameMax } from '#contract/shapes.ts';

export const keyFields: FieldTable<'name' | 'description'> = {
  name: {
    label: 'Name',
    required: true,
    max: nameMax,
    placeholder: 'billing-backend',
    hint: 'The back end that uses the key. Give each back end its own key to tell their calls apart.',
  },
  description: {
    label: 'Description',
    control: 'text',
    max: descriptionMax,
    create: { label: 'Description (optional)', rows: 2 },
    edit: { rows: 4 },
  },
};
