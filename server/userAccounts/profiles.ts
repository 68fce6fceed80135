import { editMe, readMe } from '#contract/appApi/me.ts';
import { on } from '#server/endpoints/route.ts';
import { meOf } from '#server/userSessions/meOf.ts';
import { tellUserSessions } from '#server/userSessions/userNotices.ts';
import { setProfile } from '#server/users/userStore.ts';

export const myProfileRoutes = [
  on(readMe, ({ db, inApp, user }) => meOf(db, inApp.projectId, user.id)),

  on(editMe, async call => {
    const { db, platform, inApp, user, body } = call;
    const { projectId } = inApp;
    call.before = await meOf(db, projectId, user.id);
    await setProfile(db, { projectId, id: user.id }, body);
    // The name stands in what is remembered of the caller.
    call.whenKept(() => tellUserSessions(platform, projectId, user.id));
    return meOf(db, projectId, user.id);
  }),
];
