import type { FieldTable } from '#console/ui/fields/fields.ts';
import { descriptionMax, nameMax } from '#contract/shapes.ts';
import { isPublicAlias, publicAliasMax } from '#rules/publicAlias.ts';

export const projectFields: FieldTable<'name' | 'description' | 'publicAlias'> = {
  name: {
    label: 'Name',
    required: true,
    max: nameMax,
    create: { hint: 'A project is one product. The name can change later.' },
  },
  description: {
    label: 'Description',
    control: 'text',
    max: descriptionMax,
    create: {
      label: 'Description (optional)',
      hint: 'What this product is.',
    },
  },
  publicAlias: {
    label: 'Public alias',
    mono: true,
    max: publicAliasMax,
    check: alias => (isPublicAlias(alias) ? undefined : 'INVALID_FORMAT'),
    hint: 'Replaces the project id where your users sign in. Letters and digits, with hyphens in between; must be unique.',
    create: false,
  },
};
