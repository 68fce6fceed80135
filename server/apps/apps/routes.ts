import { type App, createApp, deleteApp, editApp, listApps, readApp, readAppFigures } from '#contract/app.ts';
import { Problem } from '#contract/problem.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { publishUserSessions } from '#server/people/sessions/userNotices.ts';
import { appCallChores } from './appCalls.ts';
import { figuresOf } from './appFigures.ts';
import { checkApp } from './checkApp.ts';
import * as store from './store.ts';

export const apps: Slice = {
  tables: {
    apps: 'An app that end users sign in to.',
    app_hours: 'The calls of an app in an hour: how many, and how long they took.',
    app_user_days: 'A user who called an app on a day, and in which hours.',
  },
  chores: appCallChores,
  resources: { app: store.appResource },
  constraints: { apps_pkey: ['ID_TAKEN', 'id'] },
  routes: [
    on(listApps, ({ db, params, page, now }) => store.appsOf(db, params.projectId, { page, now })),

    on(createApp, async ({ db, params, body, now }) => {
      const { projectId } = params;
      await store.insertApp(db, { ...checkApp(body), projectId, now });
      return read(db, projectId, body.id);
    }),

    on(readApp, async call => call.row),

    on(readAppFigures, ({ platform, row, now }) => figuresOf(platform, row, now)),

    on(editApp, async ({ db, body, row }) => {
      const { projectId, id } = row;
      await store.updateApp(db, projectId, id, checkApp(body));
      return read(db, projectId, id);
    }),

    on(deleteApp, async ({ db, row, platform, afterCommit }) => {
      const { projectId, id } = row;
      const userIds = await store.usersSignedIn(db, projectId, id);
      await store.deleteApp(db, projectId, id);
      afterCommit(() => {
        for (const userId of userIds) publishUserSessions(platform, projectId, userId);
      });
    }),
  ],
};

async function read(db: Db, projectId: string, id: string): Promise<App> {
  const found = await store.findApp(db, projectId, id);
  if (!found) throw new Problem('APP_NOT_FOUND');
  return found;
}
