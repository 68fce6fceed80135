import {
  type ComponentVersion,
  createComponentVersion,
  deleteComponentVersion,
  editComponentVersion,
  listComponentVersions,
  readComponentVersion,
  readVersionUse,
  versionsMax,
} from '#contract/componentVersion.ts';
import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/db/sql.ts';
import { checkSchemaAt } from '#server/deviceClasses/checkSchemas.ts';
import { type Call, on, type Route } from '#server/endpoints/route.ts';
import { editVersion } from './editVersion.ts';
import { countVersions, deleteVersionRow, findVersion, insertVersion, versionsOf } from './versionStore.ts';
import { bundlesWith, devicesWith, refuseInUse } from './versionUse.ts';

export const versionRoutes: readonly Route[] = [
  on(listComponentVersions, ({ db, row, page }) => versionsOf(db, row, page)),

  on(createComponentVersion, checkConfigSchema, async ({ db, platform, body, row, me, now }) => {
    const { projectId, id: componentId } = row;
    const count = await countVersions(db, row);
    if (count === undefined) throw new Problem('COMPONENT_NOT_FOUND');
    if (count >= versionsMax) throw new Problem('TOO_MANY_VERSIONS');
    const id = platform.newId('ver');
    const { name, deviceConfigSchema, securityVersion } = body;
    const by = { id: me.developerId, name: me.name };
    await insertVersion(db, {
      ...{ projectId, id, componentId, name, deviceConfigSchema, securityVersion, by, now },
    });
    return read(db, projectId, id);
  }),

  on(readComponentVersion, async call => call.row),

  on(editComponentVersion, checkConfigSchema, async ({ db, row, body }) => {
    await editVersion(db, row, body);
    return read(db, row.projectId, row.id);
  }),

  on(deleteComponentVersion, async ({ db, row }) => {
    await refuseInUse(db, { projectId: row.projectId, versionId: row.id });
    await deleteVersionRow(db, row);
  }),

  on(readVersionUse, async ({ db, row }) => {
    const part = { projectId: row.projectId, versionId: row.id };
    return { bundles: await bundlesWith(db, part), devices: await devicesWith(db, part) };
  }),
];

async function checkConfigSchema({
  body: { deviceConfigSchema },
}: Call<typeof createComponentVersion> | Call<typeof editComponentVersion>): Promise<void> {
  if (deviceConfigSchema !== undefined && deviceConfigSchema !== null)
    checkSchemaAt(deviceConfigSchema, '/deviceConfigSchema');
}

async function read(db: Db, projectId: string, id: string): Promise<ComponentVersion> {
  const found = await findVersion(db, projectId, id);
  if (!found) throw new Problem('COMPONENT_VERSION_NOT_FOUND');
  return found;
}
