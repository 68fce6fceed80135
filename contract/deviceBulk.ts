import { z } from 'zod';
import { idMax } from '#rules/chosenId.ts';
import { bulkProgress } from './bulkAction.ts';
import { channelShape, deviceFilters } from './device.ts';
import { endpoint } from './endpoint.ts';
import { time } from './shapes.ts';

/** Up to this many devices are processed before the call returns; more become a job. */
export const idsMax = 999;
export const importDevicesMax = 200_000;
export const importBytesMax = 256 * 1024 * 1024;
/** The most errors that are reported for one file. */
export const importFaultsMax = 1000;

const ofProject = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;

export const exportDevices = endpoint('exportDevices', 'GET /projects/:projectId/deviceExport', {
  summary:
    'Exports all matching devices of a class as JSON or CSV, in a file named after the class. API keys are included if the project stores them and your role may read them.',
  access: { role: 'developer', of: 'project' },
  query: z.strictObject({
    ...deviceFilters,
    deviceClass: z.string().max(idMax),
    search: z.string().max(200).optional(),
    format: z.enum(['json', 'csv']),
  }),
  raw: 'download',
  reasons: [...ofProject, 'ROLE_TOO_LOW', 'DEVICE_CLASS_NOT_FOUND'],
  audit: 'Devices of class {deviceClass} exported',
});

export const exportChosenDevices = endpoint('exportChosenDevices', 'POST /projects/:projectId/deviceExport', {
  summary: 'Exports the given devices of a class, at most 999. Ids that do not exist are left out.',
  access: { role: 'developer', of: 'project' },
  body: z.strictObject({
    deviceClass: z.string().max(idMax),
    ids: z
      .array(z.string().max(64))
      .min(1)
      .max(idsMax)
      .meta({ examples: [['dev_01kag4m8y2e6tvp0rm7n4s9cqd']] }),
    format: z.enum(['json', 'csv']),
  }),
  raw: 'download',
  reasons: [...ofProject, 'ROLE_TOO_LOW', 'DEVICE_CLASS_NOT_FOUND'],
  audit: 'Devices of class {deviceClass} exported',
});

/** Selects devices when there are too many to list. */
const matching = z.strictObject({
  ...deviceFilters,
  search: z.string().max(200).optional(),
});

/** The action requested. */
const asked = {
  action: z.enum(['suspend', 'resume', 'move', 'delete']),
  /** The target channel of `move`. */
  channel: channelShape.optional(),
  ids: z.array(z.string().max(64)).min(1).max(idsMax).optional(),
  matching: matching.optional(),
};

export const DeviceAction = z.object({
  id: z.string(),
  ...asked,
  ...bulkProgress,
});
export type DeviceAction = z.output<typeof DeviceAction>;

export const actOnDevices = endpoint('actOnDevices', 'POST /projects/:projectId/deviceActions', {
  summary:
    'Suspends, resumes or deletes many devices, or moves them to another channel, selected by id or by filter. Up to 999 ids are processed before the call returns; filters, and longer lists, run as a job whose progress you can follow.',
  access: { role: 'developer', of: 'project' },
  body: z
    .strictObject(asked)
    .meta({ examples: [{ action: 'suspend', ids: ['dev_01kag4m8y2e6tvp0rm7n4s9cqd'] }] }),
  answer: DeviceAction,
  reasons: [...ofProject, 'ROLE_TOO_LOW', 'DEVICE_NOT_FOUND', 'DEVICE_CLASS_NOT_FOUND', 'CHANNEL_NOT_FOUND'],
  audit: '{said}',
  makesOld: ['devices', 'deviceClasses', 'stats'],
});

export const readDeviceAction = endpoint(
  'readDeviceAction',
  'GET /projects/:projectId/deviceActions/:actionId',
  {
    summary: 'Retrieves the progress of a bulk action.',
    access: { role: 'viewer', of: 'project' },
    answer: DeviceAction,
    reasons: [...ofProject, 'ACTION_NOT_FOUND'],
  },
);

export const DeviceImport = z.object({
  id: z.string(),
  deviceClass: z.string(),
  format: z.enum(['json', 'csv']),
  /**
   * `waiting` for the file, `checking` it, `checked` (nothing is written yet), `applying`, `done`, or `failed`.
   */
  state: z.enum(['waiting', 'checking', 'checked', 'applying', 'done', 'failed']),
  /** The URL to PUT the file to, until it is uploaded. */
  uploadUrl: z.string().optional(),
  /** Devices read so far; the total once checked. In CSV and JSON lines, each device is one line. */
  lines: z.number().int(),
  good: z.number().int(),
  bad: z.number().int(),
  /** How many of the listed remarks are warnings, which do not prevent the import. */
  warnings: z.number().int(),
  /** Devices created so far. */
  created: z.number().int(),
  /** Why the import failed as a whole. */
  error: z.string().optional(),
  createdAt: time,
});
export type DeviceImport = z.output<typeof DeviceImport>;

export const startImport = endpoint('startImport', 'POST /projects/:projectId/deviceImports', {
  summary:
    'Creates an import of devices and returns the URL to PUT the file to. The file is validated in full before anything is written.',
  access: { role: 'developer', of: 'project' },
  body: z.strictObject({
    deviceClass: z.string().max(idMax),
    format: z.enum(['json', 'csv']),
    /** `keep` uses the ids in the file, so that devices keep their identity; `new` assigns new ids. */
    ids: z.enum(['keep', 'new']),
  }),
  answer: DeviceImport,
  reasons: [...ofProject, 'ROLE_TOO_LOW', 'DEVICE_CLASS_NOT_FOUND', 'TOO_MANY_IMPORTS'],
  audit: 'Import of devices of class {deviceClass} created',
});

export const readImport = endpoint('readImport', 'GET /projects/:projectId/deviceImports/:importId', {
  summary: 'Retrieves the progress of an import.',
  access: { role: 'developer', of: 'project' },
  answer: DeviceImport,
  reasons: [...ofProject, 'ROLE_TOO_LOW', 'IMPORT_NOT_FOUND'],
});

export const ImportFault = z.object({
  line: z.number().int(),
  /**
   * The number of the device in the file, counted from 1: several can share a line. Absent: the error concerns
   * the whole file.
   */
  device: z.number().int().optional(),
  /** The column or member at fault. */
  field: z.string().optional(),
  text: z.string(),
  /** The device can be imported all the same. */
  warning: z.literal(true).optional(),
});
export type ImportFault = z.output<typeof ImportFault>;

export const readImportFaults = endpoint(
  'readImportFaults',
  'GET /projects/:projectId/deviceImports/:importId/faults',
  {
    summary:
      'Lists the first 1,000 errors and warnings in the file, by device. A field that does not exist is listed once.',
    access: { role: 'developer', of: 'project' },
    answer: z.array(ImportFault),
    reasons: [...ofProject, 'ROLE_TOO_LOW', 'IMPORT_NOT_FOUND'],
  },
);

export const applyImport = endpoint(
  'applyImport',
  'POST /projects/:projectId/deviceImports/:importId/application',
  {
    summary:
      'Applies a validated import, a thousand devices at a time. An import that failed midway resumes where it stopped.',
    access: { role: 'developer', of: 'project' },
    answer: DeviceImport,
    reasons: [...ofProject, 'ROLE_TOO_LOW', 'IMPORT_NOT_FOUND', 'IMPORT_NOT_READY'],
    audit: 'Devices of class {deviceClass} imported',
    makesOld: ['deviceImports', 'devices', 'deviceClasses', 'stats'],
  },
);
