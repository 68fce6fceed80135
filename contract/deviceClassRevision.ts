import { z } from 'zod';
import { classDetail, DeviceClass, ofProject } from './deviceClass.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { time } from './shapes.ts';

/** Limits per class. The latest revisions that fit are kept. */
export const classRevisionsMax = { count: 50, bytes: 8 * 1024 * 1024 };

/** The content of a revision: everything in a class that can be edited. */
const definition = DeviceClass.pick({ description: true, ...classDetail });
export type ClassField = keyof typeof definition.shape;
export const classFields = definition.keyof().options;

export const DeviceClassRevisionRow = z.object({
  revision: z.number().int(),
  /** Absent: saved by a release that did not keep revisions yet. */
  savedAt: time.optional(),
  /** Who saved the revision, with their name at the time. Absent: unknown. */
  savedBy: z.object({ id: z.string(), name: z.string() }).optional(),
  /** The fields that differ from the previous revision. Empty: the first revision kept, or nothing changed. */
  changed: z.array(z.enum(classFields)),
  /** Those of them that it no longer has: schemas that were removed. */
  removed: z.array(z.enum(classFields)),
});
export type DeviceClassRevisionRow = z.output<typeof DeviceClassRevisionRow>;

export const DeviceClassRevision = DeviceClassRevisionRow.extend(definition.shape);
export type DeviceClassRevision = z.output<typeof DeviceClassRevision>;

const reasons = ['DEVICE_CLASS_NOT_FOUND', 'AMBIGUOUS_ID'] as const;

export const listDeviceClassRevisions = endpoint(
  'listDeviceClassRevisions',
  'GET /deviceClasses/:classId/revisions',
  {
    capability: 'canAdmin',
    summary: `Lists the revisions of a device class that are kept, newest first: the latest ${classRevisionsMax.count}, as far as they fit into ${classRevisionsMax.bytes / 1024 / 1024} MiB. Each change of the class saves one.`,
    access: { role: 'viewer', of: 'deviceClass' },
    query: ofProject.extend(pagingQuery),
    list: { sortBy: ['revision'], default: 'revision:desc', whole: true },
    answer: z.array(DeviceClassRevisionRow),
    reasons,
  },
);

export const readDeviceClassRevision = endpoint(
  'readDeviceClassRevision',
  'GET /deviceClasses/:classId/revisions/:revision',
  {
    capability: 'canAdmin',
    summary:
      'Retrieves a revision of a device class, with its schemas. To restore it, update the class with what it holds.',
    access: { role: 'viewer', of: 'deviceClass' },
    query: ofProject,
    answer: DeviceClassRevision,
    reasons: [...reasons, 'CLASS_REVISION_NOT_FOUND'],
  },
);
