import { z } from 'zod';
import { columnNamePattern, columnTypes, tableMax } from '#contract/moduleData.ts';

const columnName = z
  .string()
  .max(60)
  .regex(columnNamePattern, 'A name begins with a letter and has letters, digits and _ only.');

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
        description: 'None: they are read from the data, each with the type that all of its values have.',
      }),
    key: z
      .union([z.literal(''), columnName])
      .default('')
      .meta({
        title: 'Key column',
        description:
          'By which rules look up a row: with the key tag, data.prices["a-1"].price. Empty: the data is a list of rows.',
      }),
  })
  .superRefine(({ columns, key }, context) => {
    const names = columns.map(({ name }) => name);
    const twice = names.findIndex((name, at) => names.indexOf(name) < at);
    if (twice >= 0)
      context.addIssue({
        code: 'custom',
        path: ['columns', twice, 'name'],
        message: 'This column is there twice.',
      });
    if (key !== '' && names.length > 0 && !names.includes(key))
      context.addIssue({ code: 'custom', path: ['key'], message: 'There is no column of this name.' });
  });
export type TableConfig = z.output<typeof tableConfig>;
