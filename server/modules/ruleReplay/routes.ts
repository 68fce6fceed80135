import { readRuleNames, readRuleReplay, replayRule } from '#contract/ruleReplay.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch } from '#server/infra/jobs/housekeeping.ts';
import { beginReplay, checkReplay, keptSince, readReplay } from './replays.ts';
import { ruleNames } from './ruleNames.ts';

/** Help with writing a rule: the names it can use, and what it would have done. */
export const ruleReplay: Slice = {
  tables: { rule_replays: 'A replay: what a rule would have done with recent events.' },
  idPrefixes: ['rpl'],
  routes: [
    on(replayRule, checkReplay, beginReplay),
    on(readRuleReplay, readReplay),
    on(readRuleNames, ruleNames),
  ],
  chores: [
    {
      name: 'rule replays',
      deletes: now => sql`
        delete from rule_replays where (project_id, id) in (
          select project_id, id from rule_replays where created_at < ${keptSince(now)} limit ${batch}) returning 1`,
    },
  ],
};
