import {
  applyImport,
  type DeviceImport,
  readImport,
  readImportFaults,
  startImport,
} from '#contract/deviceBulk.ts';
import { Problem } from '#contract/problem.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { fileUrl } from '#server/api/files/links.ts';
import type { Slice } from '#server/api/slice.ts';
import { mustHaveClass } from '#server/classes/deviceClasses/mustHaveClass.ts';
import { developerActor } from '#server/devices/log/systemLog.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { Platform } from '#server/infra/platform.ts';
import { applyImportJob } from './importApply.ts';
import { checkImportJob } from './importCheck.ts';
import {
  findImport,
  type ImportKey,
  type ImportRow,
  importChores,
  insertImport,
  lockImportCount,
  startApplying,
  uploadWithinMs,
} from './importStore.ts';
import { importFiles, putImport } from './importUpload.ts';

const underWayMax = 3;

export const deviceImports: Slice = {
  tables: {
    device_imports: 'An import of devices: its progress and the errors in its file.',
  },
  idPrefixes: ['imp'],
  files: importFiles,
  jobs: platform => ({
    tasks: { checkImport: checkImportJob(platform), applyImport: applyImportJob(platform) },
  }),
  chores: importChores,
  routes: [
    on(startImport, startOne),
    on(readImport, async ({ db, platform, params }) => toImport(platform, await mustFind(db, params))),
    on(readImportFaults, async ({ db, params }) => (await mustFind(db, params)).faults),

    on(applyImport, async ({ db, platform, params }) => {
      const row = await mustFind(db, params, { lock: true });
      if (!isReady(row)) throw new Problem('IMPORT_NOT_READY');
      const { projectId, importId } = params;
      await startApplying(db, params);
      await enqueue(db, 'applyImport', { projectId, importId });
      return toImport(platform, await mustFind(db, params));
    }),
  ],
};

async function startOne({
  db,
  body,
  params,
  platform,
  me,
  now,
}: Call<typeof startImport>): Promise<DeviceImport> {
  const { projectId } = params;
  const { deviceClass, format, ids } = body;
  await mustHaveClass(db, projectId, deviceClass);
  if ((await lockImportCount(db, projectId, now)) >= underWayMax) throw new Problem('TOO_MANY_IMPORTS');
  const id = platform.newId('imp');
  await insertImport(db, { id, projectId, deviceClass, format, ids, actor: developerActor(me), now });
  return toImport(platform, await mustFind(db, { projectId, importId: id }));
}

async function mustFind(db: Db, key: ImportKey, how = { lock: false }): Promise<ImportRow> {
  const row = await findImport(db, key, how);
  if (!row) throw new Problem('IMPORT_NOT_FOUND');
  return row;
}

/** Either validated without errors, or stopped while being applied, in which case it resumes. */
function isReady({ state, file }: ImportRow): boolean {
  return file !== null && (state === 'checked' || state === 'failed');
}

function toImport(platform: Platform, row: ImportRow): DeviceImport {
  const { id, projectId, deviceClass, format, state, lines, good, bad, warnings, created, error } = row;
  const { createdAt } = row;
  const until = new Date(createdAt.getTime() + uploadWithinMs);
  return {
    id,
    deviceClass,
    format,
    state,
    lines,
    good,
    bad,
    warnings,
    created,
    ...(state === 'waiting' && {
      uploadUrl: fileUrl(platform, putImport({ projectId, importId: id }), until),
    }),
    ...(error !== null && { error }),
    createdAt: createdAt.toISOString(),
  };
}
