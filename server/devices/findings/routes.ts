import { hideFinding, listFindings, showFinding } from '#contract/finding.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { hide, markHidden, show } from './hiddenFindings.ts';
import { findingsOf } from './listFindings.ts';

/** What needs attention in a fleet, and what a person has seen of it. */
export const findings: Slice = {
  tables: { hidden_findings: 'A finding that a developer has hidden until it happens again.' },
  routes: [
    on(listFindings, async ({ db, params, me, now }) =>
      markHidden(db, { ...params, ...me }, await findingsOf(db, params.projectId, now)),
    ),
    on(hideFinding, ({ db, params, body, me, now }) => hide(db, { ...params, ...body, ...me }, now)),
    on(showFinding, ({ db, params, me }) => show(db, { ...params, ...me })),
  ],
};
