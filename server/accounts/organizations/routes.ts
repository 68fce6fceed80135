import { findOrganization, readOrganization } from '#contract/organization.ts';
import { Problem } from '#contract/problem.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { findOrganizationById, findOrganizationByUrl } from './store.ts';

export const organizations: Slice = {
  platformTables: { organizations: 'A tenant of the installation, with its own console address.' },
  routes: [
    on(findOrganization, async ({ db, query }) => {
      const found = await findOrganizationByUrl(db, query.devConsoleBaseUrl);
      return found ? [found] : [];
    }),
    on(readOrganization, async ({ db, params }) => {
      const found = await findOrganizationById(db, params.org);
      if (!found) throw new Problem('ORG_NOT_FOUND');
      return found;
    }),
  ],
};
