import {
  type Bundle,
  bundlesMax,
  createBundle,
  deleteBundle,
  editBundle,
  listBundleNames,
  listBundles,
  readBundle,
  readBundleUse,
} from '#contract/bundle.ts';
import { Problem } from '#contract/problem.ts';
import { checkRoom } from '#server/api/access/inProject.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { prepareDeltas } from '#server/firmware/deltas/requestDeltas.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { bundleUse, isUsed } from './bundleUse.ts';
import { checkContents } from './checkContents.ts';
import {
  bundleNames,
  bundleResource,
  bundlesOf,
  deleteBundleRow,
  findBundle,
  insertBundle,
  updateBundle,
} from './store.ts';

export const bundles: Slice = {
  tables: {
    bundles: 'A set of component versions for a device class.',
    bundle_components: 'The version of a component that a bundle contains.',
  },
  idPrefixes: ['bnd'],
  resources: { bundle: bundleResource },
  constraints: {
    bundles_name: ['NAME_TAKEN', 'name'],
    bundles_class: 'DEPENDENCY_RESTRICTION',
    channels_bundle: 'DEPENDENCY_RESTRICTION',
    rollouts_bundle: 'DEPENDENCY_RESTRICTION',
    rollouts_from_bundle: 'DEPENDENCY_RESTRICTION',
    devices_bundle_installed: 'DEPENDENCY_RESTRICTION',
    devices_bundle_pinned: 'DEPENDENCY_RESTRICTION',
  },
  routes: [
    on(listBundles, ({ db, query: { projectId, deviceClass }, page }) =>
      bundlesOf(db, { projectId, deviceClass }, page),
    ),

    on(listBundleNames, ({ db, query }) => bundleNames(db, query)),

    on(createBundle, async ({ db, platform, body, me, now }) => {
      const { projectId, name, description, deviceClass, componentVersionIds: versionIds } = body;
      await checkRoom(db, projectId, {
        table: 'bundles',
        max: bundlesMax,
        reason: 'TOO_MANY_BUNDLES' as const,
      });
      await checkContents(db, { projectId, deviceClass, versionIds });
      const id = platform.newId('bnd');
      const by = { id: me.developerId, name: me.name };
      await insertBundle(db, { projectId, id, name, description, deviceClass, versionIds, by, now });
      await prepareDeltas(db, { projectId, bundleId: id }, now);
      return read(db, projectId, id);
    }),

    on(readBundle, async call => call.row),

    on(editBundle, async ({ db, row, body }) => {
      await updateBundle(db, row, body);
      return read(db, row.projectId, row.id);
    }),

    on(deleteBundle, async ({ db, row }) => {
      // Foreign keys refuse the deletion as well, even if a use is added concurrently, but they do not name the use.
      const use = await bundleUse(db, row);
      if (isUsed(use)) throw new Problem('DEPENDENCY_RESTRICTION', { context: { ...use } });
      await deleteBundleRow(db, row);
    }),

    on(readBundleUse, ({ db, row }) => bundleUse(db, row)),
  ],
};

async function read(db: Db, projectId: string, id: string): Promise<Bundle> {
  const found = await findBundle(db, projectId, id);
  if (!found) throw new Problem('BUNDLE_NOT_FOUND');
  return found;
}
