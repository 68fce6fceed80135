import { exportMe, readMyExport } from '#contract/appApi/me.ts';
import { Problem } from '#contract/problem.ts';
import { exportUser, readUserExport, type UserExport } from '#contract/user.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { checkUserProof } from '#server/api/endpoints/userProof.ts';
import type { FileLinks, StoredFile } from '#server/api/files/links.ts';
import type { Slice } from '#server/api/slice.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { isSessionOpen } from '#server/people/sessions/findUserSession.ts';
import { exportUserJob } from './exportJob.ts';
import { exportChores, failAbandoned, findExport } from './exportStore.ts';
import { exportLinkKind, startExport, toExport } from './startExport.ts';

/** Exports per day: a user's own, and a higher total so that others can still start some. */
const aDayMax = { byUser: 5, byOthers: 20 };

const files: FileLinks = {
  [exportLinkKind]: {
    download: ({ db, clock }, [projectId = '', exportId = '', sessionId]) =>
      findFile(db, { projectId, exportId }, { sessionId, now: clock() }),
  },
};

export const userExports: Slice = {
  tables: { user_exports: 'An export of all data about an end user, and its file.' },
  idPrefixes: ['exp'],
  files,
  chores: exportChores,
  hourly: failAbandoned,
  jobs: platform => ({ tasks: { exportUser: exportUserJob(platform) } }),
  routes: [
    on(exportUser, ({ db, platform, row, now }) =>
      startExport(db, platform, { projectId: row.projectId, userId: row.id, now, aDayMax: aDayMax.byOthers }),
    ),
    on(readUserExport, call => read(call, { projectId: call.row.projectId, userId: call.row.id })),
  ],
  appRoutes: [
    on(exportMe, async call => {
      checkUserProof(call);
      const { db, platform, inApp, user, now } = call;
      const of = { projectId: inApp.projectId, userId: user.id };
      return startExport(db, platform, { ...of, sessionId: user.sessionId, now, aDayMax: aDayMax.byUser });
    }),
    on(readMyExport, call => {
      const { id: userId, sessionId } = call.user;
      return read(call, { projectId: call.inApp.projectId, userId, sessionId });
    }),
  ],
};

async function read(
  { db, platform, params, now }: Call<typeof readUserExport> | Call<typeof readMyExport>,
  { sessionId, ...of }: { projectId: string; userId: string; sessionId?: string },
): Promise<UserExport> {
  const row = await findExport(db, { ...of, exportId: params.exportId });
  if (!row) throw new Problem('EXPORT_NOT_FOUND');
  return toExport(platform, row, { sessionId, now });
}

/** The link that a user got ends with the user's session: whoever was signed out must not read on. */
async function findFile(
  db: Db,
  key: { projectId: string; exportId: string },
  { sessionId, now }: { sessionId: string | undefined; now: Date },
): Promise<StoredFile> {
  if (sessionId !== undefined && !(await isSessionOpen(db, { projectId: key.projectId, sessionId, now })))
    throw new Problem('LINK_EXPIRED');
  const row = await findExport(db, key);
  if (!row || row.file === null) throw new Problem('FILE_NOT_FOUND');
  return {
    place: row.file,
    sizeBytes: Number(row.sizeBytes),
    filename: `${row.homeId === null ? row.userId : `home-${row.homeId}`}-${row.createdAt.toISOString().slice(0, 10)}.zip`,
    contentType: 'application/zip',
    // A stored file never changes, so its id identifies its content.
    etag: `"${row.id}"`,
  };
}
