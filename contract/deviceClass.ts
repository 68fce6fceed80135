import { z } from 'zod';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';
import { eventNameMax, eventNamePattern } from '#rules/eventNames.ts';
import { dayMinutes } from '#rules/time/durations.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { descriptionMax, jsonValue, projectOfRow, revision, text, time } from './shapes.ts';

export const classesMax = 500;
/** Limit per class, and per device. */
export const kvPairsMax = 1000;
export const kvBytesMax = 64 * 1024;

/** A JSON Schema (2020-12) without references to other documents. */
const schema = z.union([z.boolean(), z.record(z.string(), z.unknown())]);
const schemasByName = z
  .record(z.string().max(eventNameMax).regex(eventNamePattern), schema)
  .refine(schemas => Object.keys(schemas).length <= 200);

const schemas = {
  /** Schema of the whole reported state. */
  stateSchema: schema,
  /** Schemas by event name. Events without a schema can carry any payload. */
  eventSchemas: schemasByName,
  /** Schemas of command arguments, by command name. */
  commandSchemas: schemasByName,
};

/** How long a device may take for each part of an update while it is connected, in minutes. */
export const updateMinutes = {
  offerMinutes: { min: 1, max: 7 * dayMinutes, usual: 60 },
  downloadMinutes: { min: 5, max: 30 * dayMinutes, usual: dayMinutes },
  installMinutes: { min: 1, max: dayMinutes, usual: 30 },
  rebootMinutes: { min: 1, max: dayMinutes, usual: 15 },
} as const;

const minutes = ({ min, max }: { min: number; max: number }) => z.number().int().min(min).max(max);
const updates = {
  /** From the offer to `accepted`. Here and below, only the time while the device is connected counts. */
  offerMinutes: minutes(updateMinutes.offerMinutes),
  /** From `accepted` until the files are verified. */
  downloadMinutes: minutes(updateMinutes.downloadMinutes),
  installMinutes: minutes(updateMinutes.installMinutes),
  /** From `rebooting` to `installed`; after that, the update is `lost`. */
  rebootMinutes: minutes(updateMinutes.rebootMinutes),
  /** True: devices are offered a delta in addition to the whole file. */
  sendsDeltas: z.boolean(),
};

export const DeviceClass = z.object({
  id: z.string(),
  projectId: z.string(),
  description: z.string(),
  stateSchema: schema.optional(),
  eventSchemas: schemasByName.optional(),
  commandSchemas: schemasByName.optional(),
  ...updates,
  /** How many devices belong to this class. */
  deviceCount: z.number().int(),
  /** How many of them are connected. */
  connectedCount: z.number().int(),
  /** How many messages are in its quarantine. */
  quarantineCount: z.number().int(),
  createdAt: time,
  revision,
});
export type DeviceClass = z.output<typeof DeviceClass>;

/** The schemas and update limits, which only reading a single class returns. */
export const classDetail = {
  stateSchema: true,
  eventSchemas: true,
  commandSchemas: true,
  offerMinutes: true,
  downloadMinutes: true,
  installMinutes: true,
  rebootMinutes: true,
  sendsDeltas: true,
} as const;

/** The subset of a class that lists return, to keep a page small. */
export const DeviceClassRow = DeviceClass.omit(classDetail);
export type DeviceClassRow = z.output<typeof DeviceClassRow>;

/** A class id is unique only within its project; `projectId` resolves ambiguous ids. */
export const ofProject = z.strictObject({ projectId: projectOfRow });
const reasons = ['DEVICE_CLASS_NOT_FOUND', 'AMBIGUOUS_ID'] as const;
const changing = [...reasons, 'ROLE_TOO_LOW', 'STALE'] as const;

export const listDeviceClasses = endpoint('listDeviceClasses', 'GET /projects/:projectId/deviceClasses', {
  tokenScope: 'any',
  capability: 'canAdmin',
  summary: 'Lists the device classes of a project, without their schemas.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['id', 'createdAt'], default: 'id:asc' },
  answer: z.array(DeviceClassRow),
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'],
});

export const createDeviceClass = endpoint('createDeviceClass', 'POST /projects/:projectId/deviceClasses', {
  summary: 'Creates a device class. You choose its id, which cannot change later.',
  access: { role: 'developer', of: 'project' },
  body: z.strictObject({
    id: z.string().max(idMax).regex(chosenIdPattern),
    description: text(descriptionMax).optional(),
    stateSchema: schemas.stateSchema.optional(),
    eventSchemas: schemas.eventSchemas.optional(),
    commandSchemas: schemas.commandSchemas.optional(),
  }),
  answer: DeviceClass,
  reasons: [
    'PROJECT_NOT_FOUND',
    'NOT_A_MEMBER',
    'ROLE_TOO_LOW',
    'ID_TAKEN',
    'INVALID_SCHEMA',
    'TOO_MANY_CLASSES',
  ],
  audit: 'Device class {id} created',
  makesOld: ['stats'],
});

export const readDeviceClass = endpoint('readDeviceClass', 'GET /deviceClasses/:classId', {
  tokenScope: 'any',
  capability: 'canAdmin',
  summary: 'Retrieves a device class.',
  access: { role: 'viewer', of: 'deviceClass' },
  query: ofProject,
  answer: DeviceClass,
  reasons,
});

export const editDeviceClass = endpoint('editDeviceClass', 'PATCH /deviceClasses/:classId', {
  summary: 'Updates a device class. Setting a schema to null removes it.',
  access: { role: 'developer', of: 'deviceClass' },
  query: ofProject,
  body: z
    .strictObject({
      description: text(descriptionMax),
      stateSchema: schemas.stateSchema.nullable(),
      eventSchemas: schemas.eventSchemas.nullable(),
      commandSchemas: schemas.commandSchemas.nullable(),
      ...updates,
    })
    .partial(),
  answer: DeviceClass,
  reasons: [...changing, 'INVALID_SCHEMA'],
  audit: 'Device class {id} updated',
});

/** The maximum number of example devices that would violate a schema. */
export const previewExamplesMax = 5;

export const SchemaPreview = z.object({
  /** How many devices belong to the class. */
  devices: z.number().int(),
  /** How many of them were checked: those that have reported a state, until the time limit was reached. */
  checked: z.number().int(),
  /** How many of the checked devices have a reported state that violates the schema. */
  breaking: z.number().int(),
  /** False: the time limit was reached before every device was checked, so there may be more violations. */
  complete: z.boolean(),
  examples: z
    .array(
      z.object({
        deviceId: z.string(),
        tag: z.string(),
        name: z.string(),
        /** JSON pointer into the reported state. */
        at: z.string(),
        /** What the schema requires there, as a sentence. */
        text: z.string(),
      }),
    )
    .max(previewExamplesMax),
});
export type SchemaPreview = z.output<typeof SchemaPreview>;

export const previewSchema = endpoint('previewSchema', 'POST /deviceClasses/:classId/schemaPreview', {
  summary:
    'Counts the devices of a class whose reported state would violate a state schema, without saving it. Checks for at most one second; `complete` says whether all devices were checked.',
  access: { role: 'developer', of: 'deviceClass' },
  query: ofProject,
  body: z.strictObject({ stateSchema: schemas.stateSchema }),
  answer: SchemaPreview,
  reasons: [...reasons, 'ROLE_TOO_LOW', 'INVALID_SCHEMA'],
  audit: null,
  limit: { count: 120, windowS: 60 },
});

const named = z.array(z.object({ id: z.string(), name: z.string() }));
/** What prevents a class from being deleted: the number of dependents, and the first few of them. */
export const ClassUse = z.object({
  deviceCount: z.number().int(),
  devices: z.array(z.object({ id: z.string(), tag: z.string(), name: z.string() })),
  channelCount: z.number().int(),
  channels: named,
  bundleCount: z.number().int(),
  bundles: named,
});
export type ClassUse = z.output<typeof ClassUse>;

export const deleteDeviceClass = endpoint('deleteDeviceClass', 'DELETE /deviceClasses/:classId', {
  summary:
    'Deletes a device class that has no devices, channels or bundles. Otherwise, `context` counts them and lists the first few of each.',
  access: { role: 'developer', of: 'deviceClass' },
  query: ofProject,
  reasons: [...changing, 'DEPENDENCY_RESTRICTION'],
  audit: 'Device class {id} deleted',
  makesOld: ['stats'],
});

export const KvPair = z.object({ key: z.string(), value: jsonValue, updatedAt: time, revision });
export type KvPair = z.output<typeof KvPair>;

const kvReasons = [...reasons, 'INVALID_KEY', 'KV_PAIR_NOT_FOUND'] as const;
/** The value cannot be null: a device could not tell it from a missing key. */
export const kvValue = z.strictObject({ value: jsonValue });

export const listKvPairs = endpoint('listKvPairs', 'GET /deviceClasses/:classId/kv', {
  capability: 'canUpdateKVStores',
  summary: 'Lists the key-value pairs of a device class, which its devices read as their config.',
  access: { role: 'viewer', of: 'deviceClass' },
  query: ofProject.extend(pagingQuery),
  list: { sortBy: ['key', 'updatedAt'], default: 'key:asc' },
  answer: z.array(KvPair),
  reasons,
});

export const readKvPair = endpoint('readKvPair', 'GET /deviceClasses/:classId/kv/:pairKey', {
  capability: 'canUpdateKVStores',
  summary: 'Retrieves a key-value pair.',
  access: { role: 'viewer', of: 'deviceClass' },
  query: ofProject,
  answer: KvPair,
  reasons: kvReasons,
});

export const writeKvPair = endpoint('writeKvPair', 'PUT /deviceClasses/:classId/kv/:pairKey', {
  capability: 'canUpdateKVStores',
  summary:
    'Writes a key-value pair and notifies the devices of the class. With `create: true`, fails if the key already exists.',
  access: { role: 'developer', of: 'deviceClass' },
  query: ofProject,
  body: kvValue.extend({ create: z.boolean().optional() }),
  answer: KvPair,
  reasons: [...changing, 'INVALID_KEY', 'NULL_VALUE', 'TOO_LARGE', 'TOO_MANY_PAIRS', 'KEY_TAKEN'],
  audit: 'Key {pairKey} of device class {id} written',
  makesOld: ['config'],
  ifMatch: 'part',
});

export const deleteKvPair = endpoint('deleteKvPair', 'DELETE /deviceClasses/:classId/kv/:pairKey', {
  capability: 'canUpdateKVStores',
  summary: 'Deletes a key-value pair and notifies the devices of the class.',
  access: { role: 'developer', of: 'deviceClass' },
  query: ofProject,
  reasons: [...changing, 'INVALID_KEY', 'KV_PAIR_NOT_FOUND'],
  audit: 'Key {pairKey} of device class {id} deleted',
  makesOld: ['config'],
  ifMatch: 'part',
});
