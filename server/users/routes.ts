import type { Slice } from '#server/slice.ts';

export const users: Slice = {
  tables: { users: 'An end user of the product.' },
  idPrefixes: ['usr'],
};
