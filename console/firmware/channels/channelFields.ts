import type { FieldTable } from '#console/ui/fields/fields.ts';
import { descriptionMax } from '#contract/shapes.ts';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';

export type ChannelField = 'name' | 'description';

export const channelFields: FieldTable<ChannelField> = {
  name: {
    label: 'Name',
    mono: true,
    required: true,
    max: idMax,
    check: name => (chosenIdPattern.test(name) ? undefined : 'INVALID_FORMAT'),
    hint: 'Letters and digits, with - or _ in between. Devices know the channel by this name, so it cannot change later.',
    edit: false,
  },
  description: {
    label: 'Description',
    control: 'text',
    max: descriptionMax,
    create: { label: 'Description (optional)', rows: 2 },
    edit: { rows: 4 },
  },
};
