import { retentionDays } from '#rules/time/retention.ts';
import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import { deltaFiles } from './deltaFiles.ts';
import { makeDeltaJob } from './makeDelta.ts';

export const firmwareDeltas: Slice = {
  tables: {
    firmware_deltas: 'A delta, which turns an older file that devices have into the file of a version.',
  },
  files: deltaFiles,
  jobs: platform => ({ tasks: { makeDelta: makeDeltaJob(platform) } }),
  chores: [
    {
      name: 'firmware deltas',
      deletes: now => sql`
        delete from firmware_deltas where (project_id, version_id, from_sha256) in (
          select project_id, version_id, from_sha256 from firmware_deltas
          where created_at < ${daysBefore(now, retentionDays.firmwareDeltas)} limit ${batch})
        returning 1`,
    },
  ],
};
