import type { Slice } from '#server/api/slice.ts';

export const installation: Slice = {
  platformTables: {
    installation: 'The fingerprint of the master key, and the id of the file store; a single row.',
  },
};
