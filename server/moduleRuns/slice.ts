import type { Slice } from '#server/slice.ts';

/** What smart modules do. */
export const moduleRuns: Slice = {
  tables: {
    module_runs: 'What a smart module does, or did, for one event or at one time of its clock.',
    module_hours: 'How much a smart module did in an hour.',
  },
};
