import {
  createComponentVersion,
  deleteComponentVersion,
  editComponentVersion,
  listComponentVersions,
  readComponentVersion,
  readVersionUse,
  versionsMax,
} from '#contract/componentVersion.ts';
import { Problem } from '#contract/problem.ts';
import { type Call, on, type Route } from '#server/api/endpoints/route.ts';
import { checkSchemaAt } from '#server/classes/deviceClasses/checkSchemas.ts';
import { editVersion } from './editVersion.ts';
import { readVersion, withUrl } from './readVersion.ts';
import { countVersions, deleteVersionRow, insertVersion, versionsOf } from './versionStore.ts';
import { bundlesWith, devicesWith, refuseInUse } from './versionUse.ts';

export const versionRoutes: readonly Route[] = [
  on(listComponentVersions, ({ db, row, page }) => versionsOf(db, row, page)),

  on(createComponentVersion, checkConfigSchema, async call => {
    const { db, platform, body, row, me, now } = call;
    const { projectId, id: componentId } = row;
    const count = await countVersions(db, row);
    if (count === undefined) throw new Problem('COMPONENT_NOT_FOUND');
    if (count >= versionsMax) throw new Problem('TOO_MANY_VERSIONS');
    const id = platform.newId('ver');
    const { name, deviceConfigSchema, securityVersion } = body;
    const by = { id: me.developerId, name: me.name };
    await insertVersion(db, {
      projectId,
      id,
      componentId,
      name,
      deviceConfigSchema,
      securityVersion,
      by,
      now,
    });
    return readVersion(call, projectId, id);
  }),

  on(readComponentVersion, async call => withUrl(call, call.row)),

  on(editComponentVersion, checkConfigSchema, async call => {
    const { db, row, body } = call;
    await editVersion(db, row, body);
    // With the link, as in the answer, so that the audit entry compares the same fields.
    call.before = withUrl(call, row);
    return readVersion(call, row.projectId, row.id);
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
