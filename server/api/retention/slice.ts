import type { Slice } from '#server/api/slice.ts';

export const retention: Slice = {
  platformTables: {
    retention_clock:
      'The time by which expired data is deleted, and since when the clock has been ahead of it.',
  },
  routes: [],
};
