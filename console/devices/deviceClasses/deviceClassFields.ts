import type { FieldTable } from '#console/ui/fields/fields.ts';
import { descriptionMax } from '#contract/shapes.ts';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';

export const deviceClassFields: FieldTable<'id' | 'description'> = {
  id: {
    label: 'Id',
    mono: true,
    required: true,
    max: idMax,
    check: id => (chosenIdPattern.test(id) ? undefined : 'INVALID_FORMAT'),
    placeholder: 'thermostat',
    hint: 'Letters and digits, with - or _ in between. It becomes part of your code and firmware and cannot change later.',
    edit: false,
  },
  description: {
    label: 'Description',
    control: 'text',
    max: descriptionMax,
    create: { label: 'Description (optional)', hint: 'What these devices are.' },
    edit: { rows: 4 },
  },
};
