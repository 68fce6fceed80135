import type { FieldTable } from '#console/ui/fields/fields.ts';
import { descriptionMax } from '#contract/shapes.ts';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';

export const appFields: FieldTable<'id' | 'description'> = {
  id: {
    label: 'App id',
    mono: true,
    required: true,
    max: idMax,
    check: id => (chosenIdPattern.test(id) ? undefined : 'INVALID_FORMAT'),
    placeholder: 'nordlys-app',
    hint: 'Letters and digits, with - or _ in between. It is part of the app’s address and cannot change later.',
    edit: false,
  },
  description: {
    label: 'Description',
    control: 'text',
    max: descriptionMax,
    create: {
      label: 'Description (optional)',
      hint: 'What this app is for.',
    },
    edit: { rows: 4 },
  },
};
