import { z } from 'zod';
import { KvPair, kvValue, ofProject } from './deviceClass.ts';
import { endpoint } from './endpoint.ts';
import { countUpTo } from './paging.ts';
import { jsonObject, jsonValue, rangeMoment, revision, time } from './shapes.ts';

export const stateBytesMax = 64 * 1024;

const reasons = ['DEVICE_NOT_FOUND'] as const;
const changing = [...reasons, 'ROLE_TOO_LOW', 'STALE'] as const;

export const DeviceState = z.object({
  /** The state as reported by the device. */
  reported: jsonObject,
  reportedAt: time.optional(),
  /**
   * When each property of the reported state last changed. Absent for properties that have not changed since these
   * times are recorded.
   */
  reportedChanges: z.record(z.string(), time).optional(),
  /** The state the device should have. */
  desired: jsonObject,
  desiredAt: time.optional(),
  /** Increases with every change of the desired state. */
  desiredVersion: z.number().int(),
  /** The part of the desired state that is not reported yet. */
  delta: jsonObject,
  /** The firmware the device reports as installed, and the progress of an installation. */
  installed: jsonValue.optional(),
  installedAt: time.optional(),
  progress: jsonValue.optional(),
  progressAt: time.optional(),
  /** The revision of `desired`, for `If-Match`. */
  revision,
});
export type DeviceState = z.output<typeof DeviceState>;

export const readDeviceState = endpoint('readDeviceState', 'GET /devices/:deviceId/state', {
  capability: 'canAdmin',
  summary: 'Retrieves the reported and desired state of a device, and the difference between them.',
  access: { role: 'viewer', of: 'devicePart' },
  answer: DeviceState,
  reasons,
});

export const writeDesired = endpoint('writeDesired', 'PUT /devices/:deviceId/desired', {
  capability: 'canAdmin',
  summary:
    'Sets the desired state of a device. It is delivered immediately, or when the device next connects.',
  access: { role: 'developer', of: 'devicePart' },
  body: z.strictObject({ desired: jsonObject }),
  answer: DeviceState,
  reasons: [...changing, 'TOO_LARGE', 'SCHEMA_BROKEN'],
  audit: 'Desired state of device {id} changed',
  makesOld: ['state', 'desiredChanges'],
  ifMatch: 'part',
});

/** The maximum number of devices sampled to find out which properties a class reports. */
export const sampledDevicesMax = 1000;
/** The maximum number of properties returned, the most frequent first. */
export const reportedPropertiesMax = 200;

export const jsonTypes = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const;

export const ReportedProperties = z.object({
  /** How many devices were sampled: the most recently connected ones of the class that have reported a state. */
  devices: z.number().int(),
  /** True: the class may have more devices than were sampled. */
  sampled: z.boolean(),
  properties: z.array(
    z.object({
      name: z.string(),
      /** How many of the devices report it. */
      devices: z.number().int(),
      /** The types of its values; `integer` if every number is whole. */
      types: z.array(z.enum(jsonTypes)),
    }),
  ),
});
export type ReportedProperties = z.output<typeof ReportedProperties>;

export const readReportedProperties = endpoint(
  'readReportedProperties',
  'GET /deviceClasses/:classId/reportedProperties',
  {
    summary:
      'Counts which properties the devices of a class report in their state, and of which types. It looks at the 1,000 most recently connected devices.',
    access: { role: 'viewer', of: 'deviceClass' },
    query: ofProject,
    answer: ReportedProperties,
    reasons: ['DEVICE_CLASS_NOT_FOUND', 'AMBIGUOUS_ID'],
  },
);

export const DeviceEvent = z.object({
  id: z.string(),
  ts: time,
  name: z.string(),
  payload: jsonValue,
  alert: z.object({ severity: z.string(), text: z.string() }).optional(),
});
export type DeviceEvent = z.output<typeof DeviceEvent>;

export const listDeviceEvents = endpoint('listDeviceEvents', 'GET /devices/:deviceId/events', {
  capability: 'canAdmin',
  summary: 'Lists the events of a device within a time range, newest first. Events are kept for 30 days.',
  access: { role: 'viewer', of: 'devicePart' },
  query: z.strictObject({
    begin: rangeMoment,
    end: rangeMoment,
    name: z
      .string()
      .max(100)
      .meta({ examples: ['door'] })
      .optional(),
    maxEntries: countUpTo(999).optional(),
    /** The id of the last event of the previous page, to continue from there. */
    after: z
      .string()
      .max(64)
      .meta({ examples: ['evt_01kag4m8y2e6tvp0rm7n4s9cqd'] })
      .optional(),
  }),
  answer: z.array(DeviceEvent),
  reasons: [...reasons, 'INVALID_RANGE'],
});

export const DeviceEntity = z.object({ name: z.string(), class: z.string(), state: jsonValue.optional() });
export type DeviceEntity = z.output<typeof DeviceEntity>;

export const listDeviceEntities = endpoint('listDeviceEntities', 'GET /devices/:deviceId/entities', {
  capability: 'canAdmin',
  summary: 'Lists the addressable parts reported by a device.',
  access: { role: 'viewer', of: 'devicePart' },
  answer: z.array(DeviceEntity),
  reasons,
});

export const ConfigPair = KvPair.extend({ from: z.enum(['class', 'device']) });
export type ConfigPair = z.output<typeof ConfigPair>;

export const listDeviceConfig = endpoint('listDeviceConfig', 'GET /devices/:deviceId/config', {
  capability: 'canUpdateKVStores',
  summary: 'Lists the key-value pairs a device reads: those of its class, overridden by its own.',
  access: { role: 'viewer', of: 'devicePart' },
  answer: z.array(ConfigPair),
  reasons,
});

export const writeDeviceKvPair = endpoint('writeDeviceKvPair', 'PUT /devices/:deviceId/kv/:pairKey', {
  capability: 'canUpdateKVStores',
  summary: 'Writes a key-value pair of one device, which overrides the one of its class.',
  access: { role: 'developer', of: 'devicePart' },
  body: kvValue,
  answer: KvPair,
  reasons: [...changing, 'INVALID_KEY', 'NULL_VALUE', 'TOO_LARGE', 'TOO_MANY_PAIRS'],
  audit: 'Key {pairKey} of device {id} written',
  makesOld: ['config'],
  ifMatch: 'part',
});

export const deleteDeviceKvPair = endpoint('deleteDeviceKvPair', 'DELETE /devices/:deviceId/kv/:pairKey', {
  capability: 'canUpdateKVStores',
  summary: 'Deletes a key-value pair of one device. If its class has the same key, that value applies again.',
  access: { role: 'developer', of: 'devicePart' },
  reasons: [...changing, 'INVALID_KEY', 'KV_PAIR_NOT_FOUND'],
  audit: 'Key {pairKey} of device {id} deleted',
  makesOld: ['config'],
  ifMatch: 'part',
});
