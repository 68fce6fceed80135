import { Problem } from '#contract/problem.ts';
import {
  createUser,
  deleteUser,
  editUser,
  endUserSession,
  endUserSessions,
  listUserSessions,
  sendUserPasswordReset,
} from '#contract/user.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { endUserSessions as endSessions } from '#server/people/sessions/endUserSessions.ts';
import { sessionsOf } from '#server/people/sessions/mySessions.ts';
import { publishUserSessions } from '#server/people/sessions/userNotices.ts';
import { createOne, hashGiven } from './createUser.ts';
import { editOne } from './editUser.ts';
import { eraseFromLogsJob, eraseMyRoute, eraseUser } from './eraseUser.ts';
import { countPasswordReset, sendPasswordReset } from './sendPasswordReset.ts';

/** The calls of developers and back ends for end users. */
export const userManagement: Slice = {
  jobs: platform => ({ tasks: { eraseFromLogs: eraseFromLogsJob(platform) } }),
  appRoutes: [eraseMyRoute],
  routes: [
    on(createUser, hashGiven, createOne),

    on(editUser, editOne),

    on(deleteUser, call => {
      const { projectId, id: userId } = call.row;
      return eraseUser(call, { projectId, userId, deletesHomes: call.query.homes === 'delete' });
    }),

    on(sendUserPasswordReset, countPasswordReset, sendPasswordReset),

    on(listUserSessions, async ({ db, row, page, now }) => {
      const all = await sessionsOf(db, { projectId: row.projectId, userId: row.id, now });
      const items = (page.descending ? all : all.toReversed()).slice(page.skip, page.skip + page.limit);
      return { items, total: all.length };
    }),

    on(endUserSession, async ({ db, platform, row, params, afterCommit }) => {
      const { id: userId, projectId } = row;
      const only = params.sessionId;
      const ended = await endSessions(db, platform, { projectId, userId, only, reason: 'ended' });
      if (ended === 0) throw new Problem('SESSION_NOT_FOUND');
      afterCommit(() => publishUserSessions(platform, projectId, userId));
    }),

    on(endUserSessions, async ({ db, platform, row, afterCommit }) => {
      const { id: userId, projectId } = row;
      await endSessions(db, platform, { projectId, userId, reason: 'ended' });
      afterCommit(() => publishUserSessions(platform, projectId, userId));
    }),
  ],
};
