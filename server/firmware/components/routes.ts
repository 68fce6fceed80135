import {
  type Component,
  componentsMax,
  createComponent,
  deleteComponent,
  editComponent,
  listComponents,
  readComponent,
  readComponentUse,
} from '#contract/component.ts';
import { Problem } from '#contract/problem.ts';
import { checkRoom } from '#server/api/access/inProject.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import {
  componentResource,
  componentsOf,
  deleteComponentRow,
  findComponent,
  insertComponent,
  updateComponent,
} from './store.ts';
import { uploadRoutes } from './uploadRoutes.ts';
import { uploadChores, verifyVersionJob } from './versions/verifyVersion.ts';
import { versionFiles } from './versions/versionFiles.ts';
import { versionRoutes } from './versions/versionRoutes.ts';
import { versionResource } from './versions/versionStore.ts';
import { bundlesWith, refuseInUse } from './versions/versionUse.ts';

export const components: Slice = {
  tables: {
    components: 'A part of a device that has its own firmware.',
    component_versions: 'A version of a component, with its file once that is verified.',
    version_uploads: 'An unfinished upload of a version’s file.',
    version_upload_parts: 'A stored part of an unfinished upload.',
  },
  idPrefixes: ['cmp', 'ver', 'upl'],
  resources: { component: componentResource, componentVersion: versionResource },
  files: versionFiles,
  jobs: platform => ({ tasks: { verifyVersion: verifyVersionJob(platform) } }),
  chores: uploadChores,
  constraints: {
    components_name: ['NAME_TAKEN', 'name'],
    component_versions_name: ['NAME_TAKEN', 'name'],
    bundle_components_version: 'DEPENDENCY_RESTRICTION',
  },
  routes: [
    on(listComponents, ({ db, query, page }) => componentsOf(db, query.projectId, page)),

    on(createComponent, async ({ db, platform, body, now }) => {
      const { projectId, name, description } = body;
      await checkRoom(db, projectId, {
        table: 'components',
        max: componentsMax,
        reason: 'TOO_MANY_COMPONENTS' as const,
      });
      const id = platform.newId('cmp');
      await insertComponent(db, { projectId, id, name, description, now });
      return read(db, projectId, id);
    }),

    on(readComponent, async call => call.row),

    on(editComponent, async ({ db, body, row }) => {
      if (body.name !== undefined && body.name !== row.name) await checkRename(db, row);
      await updateComponent(db, row, body);
      return read(db, row.projectId, row.id);
    }),

    on(deleteComponent, async ({ db, row }) => {
      await refuseInUse(db, { projectId: row.projectId, componentId: row.id });
      await deleteComponentRow(db, row);
    }),

    on(readComponentUse, async ({ db, row }) => ({
      bundles: await bundlesWith(db, { projectId: row.projectId, componentId: row.id }),
    })),

    ...versionRoutes,
    ...uploadRoutes,
  ],
};

async function read(db: Db, projectId: string, id: string): Promise<Component> {
  const found = await findComponent(db, projectId, id);
  if (!found) throw new Problem('COMPONENT_NOT_FOUND');
  return found;
}

/** Devices identify a component by its name, and signatures of its versions include it. */
async function checkRename(db: Db, { projectId, id }: Component): Promise<void> {
  const fields = { name: 'NAME_IN_USE' as const };
  const bundles = await bundlesWith(db, { projectId, componentId: id });
  if (bundles.length > 0) throw new Problem('NAME_IN_USE', { fields, context: { bundles } });
  const signed = await db.one(sql`
    select 1 as found from component_versions
    where project_id = ${projectId} and component_id = ${id} and state = 'ready' and signature is not null limit 1`);
  const message = 'A signed version names the component. Create a new component instead.';
  if (signed) throw new Problem('NAME_IN_USE', { fields, message });
}
