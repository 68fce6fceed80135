import type { Slice } from '#server/slice.ts';
import { logPartitions } from './partitions.ts';
import { pruneSeals } from './prune.ts';
import { Sealer } from './sealer.ts';

/** How entries are kept; they are read through the calls of `logEntries`. */
export const logs: Slice = {
  tables: {
    log_entries: 'An entry of an audit, system or HTTP log.',
    audit_unsealed: 'An audit entry that is not in the hash chain yet.',
    audit_blocks: 'Which words occur in a stretch of a log, to search it.',
    audit_seals: 'A link of the hash chain over a log.',
  },
  idPrefixes: ['log'],
  partitions: Object.values(logPartitions),
  hourly: ({ db, clock }) => pruneSeals(db, clock()),
  jobs: platform => {
    const sealer = new Sealer(platform);
    return { tasks: { sealLogs: () => sealer.run() }, stop: () => sealer.stop() };
  },
  // Entries are sealed a moment after they are written; this finds those that a killed process left.
  schedule: [{ task: 'sealLogs', at: '* * * * *' }],
};
