import { z } from 'zod';
import { columnNamePattern, columnTypes, tableMax } from '#contract/moduleData.ts';

const columnName = z
  .string()
  .max(60)
  .regex(columnNamePattern, 'Use letters, digits and _, starting with a letter.');

export const tableConfig = z
  .strictObject({
    columns: z
      .array(
        z.strictObject({
          name: columnName.meta({ title: 'Column' }),
          type: z.enum(columnTypes).meta({
            title: 'Type',
            ui: { control: 'choice', labels: { text: 'Text', number: 'Number', boolean: 'True or false' } },
          }),
        }),
      )
      .max(tableMax.columns)
      .default([])
      .meta({
        title: 'Columns',
        description: 'If none are listed, columns and their types are taken from the data.',
      }),
    key: z
      .union([z.literal(''), columnName])
      .default('')
      .meta({
        title: 'Key column',
        description:
          'Rules look up a row by it: if it is tag, they write data.prices["a-1"].price. Leave it empty to use the rows as a list.',
      }),
  })
  .superRefine(({ columns, key }, context) => {
    const names = columns.map(({ name }) => name);
    const twice = names.findIndex((name, at) => names.indexOf(name) < at);
    if (twice >= 0)
      context.addIssue({
        code: 'custom',
        path: ['columns', twice, 'name'],
        message: 'This column is listed twice.',
      });
    if (key !== '' && names.length > 0 && !names.includes(key))
      context.addIssue({ code: 'custom', path: ['key'], message: 'No column has this name.' });
  });
export type TableConfig = z.output<typeof tableConfig>;
