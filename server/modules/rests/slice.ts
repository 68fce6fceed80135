import type { Slice } from '#server/api/slice.ts';

/** A module that ends what evaluates it rests, also after a restart. */
export const moduleRests: Slice = {
  tables: { module_rests: 'A module whose expression had to be stopped: until when it rests, and why.' },
};
