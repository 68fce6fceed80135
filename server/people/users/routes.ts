import { exportUsers, listUsers, readUser, readUserCounts } from '#contract/user.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { exportFound } from './exportUsers.ts';
import { userResource } from './user.ts';
import { userCountsOf } from './userCounts.ts';
import { usersOf } from './usersOf.ts';

/** Stores end users, and lets developers read them; `userManagement` and `userAccounts` change them. */
export const users: Slice = {
  tables: {
    users: 'An end user of the product.',
    user_counts: 'How many users a project has by state, maintained by triggers.',
  },
  idPrefixes: ['usr'],
  constraints: { users_email: ['EMAIL_TAKEN', 'email'] },
  resources: { user: userResource },
  routes: [
    on(listUsers, call => usersOf(call)),
    on(exportUsers, call => exportFound(call)),
    on(readUserCounts, ({ db, params }) => userCountsOf(db, params.projectId)),
    on(readUser, async call => call.row),
  ],
};
