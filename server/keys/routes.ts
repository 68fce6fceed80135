import type { Slice } from '#server/slice.ts';

export const keys: Slice = {
  tables: { keys: 'The key of a back end, with what it may do.' },
  idPrefixes: ['key'],
};
