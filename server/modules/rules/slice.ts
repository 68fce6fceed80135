import { ofModuleRunDays } from '#rules/time/retention.ts';
import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import { endAlertsJob } from './endAlerts.ts';
import { wipeRuleStates } from './wipeRuleStates.ts';

export const moduleRules: Slice = {
  tables: {
    rule_states: 'The state of a rule for a device: whether its condition holds, and since when.',
    rule_falls: 'An event after which the condition of a rule no longer held.',
  },
  wipesReleased: wipeRuleStates,
  jobs: platform => ({ tasks: { endRuleAlerts: endAlertsJob(platform) } }),
  chores: [
    {
      name: 'rule falls',
      deletes: now => sql`
        delete from rule_falls where (project_id, module_id, event_id) in (
          select project_id, module_id, event_id from rule_falls where at < ${daysBefore(now, ofModuleRunDays)} limit ${batch})
        returning 1`,
    },
  ],
};
