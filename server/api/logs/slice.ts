import type { Slice } from '#server/api/slice.ts';
import { Sealer } from './auditChain/sealer.ts';
import { logPartitions } from './partitions.ts';
import { pruneAuditLogs, pruneChores } from './prune.ts';

/** Stores entries; they are read through the calls of `logEntries`. */
export const logs: Slice = {
  tables: {
    log_entries: 'An entry of an audit, system or HTTP log.',
    audit_unsealed: 'An audit log entry that is not in the hash chain yet.',
    audit_blocks: 'A search index block: which words occur in a section of a log.',
    audit_seals: 'A link in the hash chain of a log.',
    audit_markers: 'Which entries of a log have expired, and may therefore be absent from its hash chain.',
    log_people: 'An end user named in a log entry, so that the name can be erased.',
  },
  idPrefixes: ['log'],
  partitions: Object.values(logPartitions),
  hourly: pruneAuditLogs,
  chores: pruneChores,
  jobs: platform => {
    const sealer = new Sealer(platform);
    return { tasks: { sealLogs: () => sealer.run() }, stop: () => sealer.stop() };
  },
  // Entries are sealed moments after they are written; this finds the ones that a killed process left behind.
  schedule: [{ task: 'sealLogs', at: '* * * * *' }],
};
