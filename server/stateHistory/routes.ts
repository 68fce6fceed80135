import type { Slice } from '#server/slice.ts';
import { changePartitions } from './keepChanges.ts';
import { settleRestored } from './settleRestored.ts';

export const stateHistory: Slice = {
  tables: { state_changes: 'What a report changed in the state of a device, and what leads back.' },
  partitions: [changePartitions],
  hourly: settleRestored,
};
