import {
  classesMax,
  createDeviceClass,
  deleteDeviceClass,
  editDeviceClass,
  listDeviceClasses,
  previewSchema,
  readDeviceClass,
} from '#contract/deviceClass.ts';
import { Problem } from '#contract/problem.ts';
import { checkMessage } from '#contract/quarantine.ts';
import { checkRoom } from '#server/api/access/inProject.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { checkSchemas } from './checkSchemas.ts';
import { classUse } from './classUse.ts';
import { messageFaults } from './messageFaults.ts';
import { preview } from './previewSchema.ts';
import { quarantineChores, quarantineRoutes } from './quarantine/readQuarantine.ts';
import { wipeQuarantine } from './quarantine/wipeQuarantine.ts';
import { revisionRoutes } from './revisions/readRevisions.ts';
import { savingOf } from './revisions/saveRevisions.ts';
import { classesOf, classOf, deleteClass, deviceClassResource, insertClass, updateClass } from './store.ts';

export const deviceClasses: Slice = {
  tables: {
    device_classes: 'A device class and its schemas.',
    device_class_revisions: 'What a device class was after one of its latest changes.',
    quarantine: 'A message that violated a schema of its class, with the errors.',
  },
  idPrefixes: ['qrt'],
  chores: quarantineChores,
  wipesReleased: wipeQuarantine,
  resources: { deviceClass: deviceClassResource },
  constraints: {
    device_classes_pkey: ['ID_TAKEN', 'id'],
    devices_class: 'DEPENDENCY_RESTRICTION',
  },
  routes: [
    on(listDeviceClasses, ({ db, params, page }) => classesOf(db, params.projectId, page)),

    on(createDeviceClass, checkSchemas, async call => {
      const { db, body } = call;
      const { projectId } = call.params;
      await checkRoom(db, projectId, {
        table: 'device_classes',
        max: classesMax,
        reason: 'TOO_MANY_CLASSES',
      });
      await insertClass(db, projectId, body, savingOf(call));
      return classOf(db, projectId, body.id);
    }),

    on(readDeviceClass, ({ db, row }) => classOf(db, row.projectId, row.id)),

    on(editDeviceClass, checkSchemas, async call => {
      const { db, body, row } = call;
      await updateClass(db, row, body, savingOf(call));
      const edited = await classOf(db, row.projectId, row.id);
      // The row of a call has no counts, and a changed count is not something the caller changed.
      const { deviceCount, connectedCount, quarantineCount } = edited;
      call.before = { ...row, deviceCount, connectedCount, quarantineCount };
      return edited;
    }),

    on(previewSchema, preview, async ({ db, row }, found) => {
      const { deviceCount: devices } = await classOf(db, row.projectId, row.id);
      return { devices, ...found };
    }),

    on(deleteDeviceClass, async ({ db, row }) => {
      // Foreign keys would refuse the deletion as well, and do if something is added at this moment, but they do not
      // name what prevents it.
      const use = await classUse(db, await classOf(db, row.projectId, row.id));
      if (use) throw new Problem('DEPENDENCY_RESTRICTION', { context: { ...use } });
      return deleteClass(db, row.projectId, row.id);
    }),

    ...revisionRoutes,

    on(checkMessage, async ({ body, row }) => messageFaults(row, body)),

    ...quarantineRoutes,
  ],
};
