import { z } from 'zod';
import { idMax } from '#rules/chosenId.ts';
import { channelShape, deviceFilters } from './device.ts';
import { endpoint } from './endpoint.ts';
import { time } from './shapes.ts';

/** So many devices are acted on before the call answers; more are left to a job that can be watched. */
export const idsMax = 999;
export const importDevicesMax = 200_000;
export const importBytesMax = 256 * 1024 * 1024;
/** So many faulty lines are named. */
export const importFaultsMax = 1000;

const ofProject = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;

export const exportDevices = endpoint('exportDevices', 'GET /projects/:projectId/deviceExport', {
  summary:
    'All matching devices of a class as a file named after the class, JSON or CSV; keys are in it where the project does not forget them and your role may read them.',
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
  summary: 'The same file of the named devices of a class, 999 at most; what is not there is left out.',
  access: { role: 'developer', of: 'project' },
  body: z.strictObject({
    deviceClass: z.string().max(idMax),
    ids: z.array(z.string().max(64)).min(1).max(idsMax),
    format: z.enum(['json', 'csv']),
  }),
  raw: 'download',
  reasons: [...ofProject, 'ROLE_TOO_LOW', 'DEVICE_CLASS_NOT_FOUND'],
  audit: 'Devices of class {deviceClass} exported',
});

/** Which devices of a class are meant, when there are too many to name. */
const matching = z.strictObject({
  ...deviceFilters,
  deviceClass: z.string().max(idMax),
  search: z.string().max(200).optional(),
});

/** What was asked for. */
const asked = {
  action: z.enum(['suspend', 'resume', 'move', 'delete']),
  /** Where to, for `move`. */
  channel: channelShape.optional(),
  ids: z.array(z.string().max(64)).min(1).max(idsMax).optional(),
  matching: matching.optional(),
};

export const DeviceAction = z.object({
  id: z.string(),
  ...asked,
  state: z.enum(['running', 'done', 'failed']),
  /** How many devices were meant when it began. */
  total: z.number().int(),
  done: z.number().int(),
  error: z.string().optional(),
  createdAt: time,
  finishedAt: time.optional(),
});
export type DeviceAction = z.output<typeof DeviceAction>;

export const actOnDevices = endpoint('actOnDevices', 'POST /projects/:projectId/deviceActions', {
  summary:
    'Suspends, resumes, moves to a channel or deletes many devices: those named, or all that match. Up to 999 named ones are done in one step when it answers; all that match are left to a job that can be watched.',
  access: { role: 'developer', of: 'project' },
  body: z.strictObject(asked),
  answer: DeviceAction,
  reasons: [...ofProject, 'ROLE_TOO_LOW', 'DEVICE_NOT_FOUND', 'DEVICE_CLASS_NOT_FOUND'],
  audit: '{said}',
});

export const readDeviceAction = endpoint(
  'readDeviceAction',
  'GET /projects/:projectId/deviceActions/:actionId',
  {
    summary: 'Says how far an action on many devices has come.',
    access: { role: 'viewer', of: 'project' },
    answer: DeviceAction,
    reasons: [...ofProject, 'ACTION_NOT_FOUND'],
  },
);

export const DeviceImport = z.object({
  id: z.string(),
  deviceClass: z.string(),
  format: z.enum(['json', 'csv']),
  /** `waiting` for the file, `checking` it, `checked` (nothing is written yet), `applying`, `done`, or `failed`. */
  state: z.enum(['waiting', 'checking', 'checked', 'applying', 'done', 'failed']),
  /** Where to PUT the file, while it is waited for. */
  uploadUrl: z.string().optional(),
  /** Devices read so far, and when checked, in all; in CSV and JSON lines each has a line. */
  lines: z.number().int(),
  good: z.number().int(),
  bad: z.number().int(),
  /** Devices made so far. */
  created: z.number().int(),
  /** Why the whole of it failed. */
  error: z.string().optional(),
  createdAt: time,
});
export type DeviceImport = z.output<typeof DeviceImport>;

export const startImport = endpoint('startImport', 'POST /projects/:projectId/deviceImports', {
  summary:
    'Prepares an import of devices and answers where to PUT the file. What is in it is checked line by line before anything is written.',
  access: { role: 'developer', of: 'project' },
  body: z.strictObject({
    deviceClass: z.string().max(idMax),
    format: z.enum(['json', 'csv']),
    /** `keep` takes the ids in the file, so that devices stay themselves; `new` gives others. */
    ids: z.enum(['keep', 'new']),
  }),
  answer: DeviceImport,
  reasons: [...ofProject, 'ROLE_TOO_LOW', 'DEVICE_CLASS_NOT_FOUND', 'TOO_MANY_IMPORTS'],
  audit: 'Import of devices of class {deviceClass} prepared',
});

export const readImport = endpoint('readImport', 'GET /projects/:projectId/deviceImports/:importId', {
  summary: 'Says how far an import has come.',
  access: { role: 'developer', of: 'project' },
  answer: DeviceImport,
  reasons: [...ofProject, 'ROLE_TOO_LOW', 'IMPORT_NOT_FOUND'],
});

export const ImportFault = z.object({
  line: z.number().int(),
  /** Which of the devices in the file, counted from 1: many may stand on one line. Absent: it is about the file. */
  device: z.number().int().optional(),
  /** The column or member at fault. */
  field: z.string().optional(),
  text: z.string(),
});
export type ImportFault = z.output<typeof ImportFault>;

export const readImportFaults = endpoint(
  'readImportFaults',
  'GET /projects/:projectId/deviceImports/:importId/faults',
  {
    summary: 'What is wrong in the file, device by device; the first 1,000 faults.',
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
      'Makes the devices of a file without faults, a thousand at a time. One that failed on the way goes on where it stopped.',
    access: { role: 'developer', of: 'project' },
    answer: DeviceImport,
    reasons: [...ofProject, 'ROLE_TOO_LOW', 'IMPORT_NOT_FOUND', 'IMPORT_NOT_READY'],
    audit: 'Devices of class {deviceClass} imported',
  },
);
