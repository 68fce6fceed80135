import type { FieldTable } from '#console/ui/fields/fields.ts';
import { nameMax } from '#contract/shapes.ts';

const languageTag = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;

export const userFields: FieldTable<'name' | 'language'> = {
  name: { label: 'Name', max: nameMax },
  language: {
    label: 'Language',
    max: 35,
    placeholder: 'nb-NO',
    hint: 'A language tag, such as en or nb-NO. E-mail templates can use it.',
    check: tag => (languageTag.test(tag) ? undefined : 'INVALID_FORMAT'),
  },
};
