import {
  createDeviceView,
  deleteDeviceView,
  editDeviceView,
  listDeviceViews,
  viewsMax,
} from '#contract/deviceView.ts';
import { checkRoom } from '#server/api/access/inProject.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { deleteView, deviceViewResource, findView, insertView, updateView, viewsOf } from './store.ts';

export const deviceViews: Slice = {
  tables: { device_views: 'A named search, filter and order of the device list.' },
  idPrefixes: ['dvw'],
  resources: { deviceView: deviceViewResource },
  constraints: { device_views_name: ['NAME_TAKEN', 'name'] },
  routes: [
    on(listDeviceViews, ({ db, query, page }) => viewsOf(db, query.projectId, page)),

    on(createDeviceView, async ({ db, platform, body, now }) => {
      const { projectId } = body;
      await checkRoom(db, projectId, { table: 'device_views', max: viewsMax, reason: 'TOO_MANY_VIEWS' });
      const id = platform.newId('dvw', now);
      await insertView(db, body, { id, now });
      return findView(db, projectId, id);
    }),

    on(editDeviceView, async ({ db, row, body }) => {
      await updateView(db, row, body);
      return findView(db, row.projectId, row.id);
    }),

    on(deleteDeviceView, ({ db, row }) => deleteView(db, row)),
  ],
};
