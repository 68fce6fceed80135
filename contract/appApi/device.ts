import { z } from 'zod';
import { Command, commandStages, sendCommand } from '../command.ts';
import { DesiredChange } from '../desiredChange.ts';
import { connectionStatuses } from '../device.ts';
import { Consent } from '../deviceFirmware.ts';
import { DeviceEvent, DeviceState } from '../deviceState.ts';
import { consentLaterDaysMax, updateStates, updateWaits } from '../deviceWire.ts';
import { endpoint, homeRights } from '../endpoint.ts';
import { homeId } from '../home.ts';
import { Released } from '../homeDevice.ts';
import { countUpTo, pagingQuery } from '../paging.ts';
import { jsonObject, jsonValue, line, nameMax, rangeMoment, revision, time } from '../shapes.ts';

export const MyDevice = z.object({
  id: z.string(),
  homeId: z.string(),
  name: z.string(),
  tag: z.string(),
  deviceClass: z.string(),
  connectionStatus: z.enum(connectionStatuses),
  /** When the device last connected or disconnected. */
  since: time.optional(),
  suspended: z.boolean(),
  ownedSince: time,
  /** What the user may currently do with the device. */
  rights: z.array(z.enum(homeRights)),
  revision,
});
export type MyDevice = z.output<typeof MyDevice>;

/** The schemas of a class, for apps that generate their controls from them. */
export const MyDeviceClass = z.object({
  id: z.string(),
  description: z.string(),
  stateSchema: jsonValue.optional(),
  eventSchemas: z.record(z.string(), jsonValue).optional(),
  commandSchemas: z.record(z.string(), jsonValue).optional(),
});
export type MyDeviceClass = z.output<typeof MyDeviceClass>;

/** The part of a device's state that apps see: without firmware, and without the times of single properties. */
export const MyState = DeviceState.pick({
  reported: true,
  reportedAt: true,
  desired: true,
  desiredAt: true,
  desiredVersion: true,
  delta: true,
  revision: true,
});
export type MyState = z.output<typeof MyState>;

/** The firmware that a device should run. */
export const MyUpdate = z.object({
  /** Sent back with the answer, so that the answer only applies to this update. */
  sequence: z.number().int(),
  versions: z.array(z.object({ component: z.string(), version: z.string() })),
  state: z.enum(updateStates),
  percent: z.number().optional(),
  waitsFor: z.enum(updateWaits).optional(),
  consent: Consent.optional(),
  /** Whether the update can currently be approved or postponed. */
  answerable: z.boolean(),
});
export type MyUpdate = z.output<typeof MyUpdate>;

const reasons = ['DEVICE_NOT_FOUND'] as const;
const controlling = [...reasons, 'HOME_RIGHT_MISSING', 'HOME_INACTIVE', 'DEVICE_SUSPENDED'] as const;
const range = {
  begin: rangeMoment,
  end: rangeMoment,
  maxEntries: countUpTo(999).optional(),
  after: z
    .string()
    .max(64)
    .meta({ examples: ['evt_01kag4m8y2e6tvp0rm7n4s9cqd'] })
    .optional(),
};

export const listMyDevices = endpoint('listMyDevices', 'GET /homes/:homeId/devices', {
  summary: 'Lists the devices of a home. Guests see only devices they currently have access to.',
  access: { right: 'view', of: 'home' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['name', 'ownedSince'], default: 'name:asc', whole: true },
  answer: z.array(MyDevice),
  reasons: ['HOME_NOT_FOUND'],
});

export const listMyStates = endpoint('listMyStates', 'GET /homes/:homeId/states', {
  summary: 'Lists the states of the devices of a home, in the order of its devices.',
  access: { right: 'view', of: 'home' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['name', 'ownedSince'], default: 'name:asc', whole: true },
  answer: z.array(MyState.extend({ deviceId: z.string() })),
  reasons: ['HOME_NOT_FOUND'],
});

export const claimDevice = endpoint('claimDevice', 'POST /devices/claim', {
  summary:
    'Claims a device for a home with the code that came with it. A wrong code, a used code and a code of another project get the same answer. Repeating the call for the same home succeeds.',
  access: { right: 'configure', of: 'home' },
  body: z.strictObject({ claimCode: z.string().min(1).max(64), homeId }),
  answer: MyDevice,
  reasons: ['HOME_NOT_FOUND', 'HOME_RIGHT_MISSING', 'CLAIM_CODE_WRONG', 'HOME_FULL', 'TOO_MANY_REQUESTS'],
  audit: 'Device {id} claimed for home {homeId}',
  auditRefusals: true,
  makesOld: ['homes', 'users', 'devices', 'stats'],
});

export const provisionDevice = endpoint('provisionDevice', 'POST /homes/:homeId/devices', {
  summary:
    'Creates a device for a home, for an app that passes the id and key to the hardware. Send an `Idempotency-Key`. A device that does not connect within 24 hours is removed.',
  access: { right: 'configure', of: 'home' },
  body: z.strictObject({ deviceClass: z.string().max(64), name: line(nameMax, 0).optional() }),
  answer: z.object({ id: z.string(), device: MyDevice, apiKey: z.string() }),
  reasons: [
    'HOME_NOT_FOUND',
    'HOME_RIGHT_MISSING',
    'PROVISIONING_OFF',
    'DEVICE_CLASS_NOT_FOUND',
    'HOME_FULL',
    'HOME_INACTIVE',
  ],
  audit: 'Device {id} created for home {homeId}',
  makesOld: ['homes', 'users', 'devices', 'stats'],
});

export const readMyDevice = endpoint('readMyDevice', 'GET /devices/:deviceId', {
  summary: 'Retrieves a device.',
  access: { right: 'view', of: 'homeDevice' },
  answer: MyDevice,
  reasons,
});

export const readMyDeviceClass = endpoint('readMyDeviceClass', 'GET /devices/:deviceId/class', {
  summary: 'Retrieves the schemas of the device’s class.',
  access: { right: 'view', of: 'homeDevice' },
  answer: MyDeviceClass,
  reasons,
});

export const readMyUpdate = endpoint('readMyUpdate', 'GET /devices/:deviceId/update', {
  summary:
    'Returns the firmware that a device should run and the progress of the update, or null if none is assigned.',
  access: { right: 'view', of: 'homeDevice' },
  answer: MyUpdate.nullable(),
  reasons,
});

export const answerMyUpdate = endpoint('answerMyUpdate', 'PUT /devices/:deviceId/update', {
  summary: `Approves an update of a device, or postpones it for up to ${consentLaterDaysMax} days. The device receives the answer with its target, and acts on it if it asks for consent.`,
  access: { right: 'configure', of: 'homeDevice' },
  body: z.discriminatedUnion('answer', [
    z.strictObject({ sequence: z.number().int().min(0).max(2_147_483_647), answer: z.literal('install') }),
    z.strictObject({
      sequence: z.number().int().min(0).max(2_147_483_647),
      answer: z.literal('later'),
      until: time,
    }),
  ]),
  answer: MyUpdate,
  reasons: [...controlling, 'NOTHING_TO_APPROVE', 'STALE'],
  audit: 'Update of device {id} answered',
  makesOld: ['devices'],
});

export const editMyDevice = endpoint('editMyDevice', 'PATCH /devices/:deviceId', {
  summary: 'Renames a device.',
  access: { right: 'configure', of: 'homeDevice' },
  body: z.strictObject({ name: line(nameMax, 0) }),
  answer: MyDevice,
  reasons: [...reasons, 'HOME_RIGHT_MISSING', 'STALE'],
  audit: 'Device {id} renamed',
  makesOld: ['devices', 'homes', 'users'],
});

export const releaseMyDevice = endpoint('releaseMyDevice', 'DELETE /devices/:deviceId', {
  summary:
    'Releases a device from its home: the data from that home is erased, and the new claim code is returned.',
  access: { right: 'configure', of: 'homeDevice' },
  answer: Released,
  reasons: [...reasons, 'HOME_RIGHT_MISSING', 'STALE'],
  audit: 'Device {id} released',
  makesOld: ['homes', 'users', 'devices', 'stats'],
});

export const readMyDeviceState = endpoint('readMyDeviceState', 'GET /devices/:deviceId/state', {
  summary: 'Retrieves the reported and desired state of a device, and the difference between them.',
  access: { right: 'view', of: 'homeDevice' },
  answer: MyState,
  reasons,
});

export const setMyDesired = endpoint('setMyDesired', 'PATCH /devices/:deviceId/desired', {
  summary:
    'Changes the desired state of a device with a merge patch (RFC 7396). It is delivered immediately, or when the device next connects.',
  access: { right: 'control', of: 'homeDevice' },
  body: jsonObject.meta({ examples: [{ temperature: 21 }] }),
  answer: MyState,
  reasons: [...controlling, 'SCHEMA_BROKEN', 'TOO_LARGE', 'STALE'],
  audit: 'Desired state of device {id} changed',
  makesOld: ['state', 'desiredChanges'],
  ifMatch: 'part',
});

export const listMyDesiredChanges = endpoint(
  'listMyDesiredChanges',
  'GET /devices/:deviceId/desiredChanges',
  {
    summary:
      'Lists the changes to the desired state of a device since it joined the home, and the progress of each.',
    access: { right: 'view', of: 'homeDevice' },
    query: z.strictObject(pagingQuery),
    list: { sortBy: ['version'], default: 'version:desc' },
    answer: z.array(DesiredChange),
    reasons,
  },
);

export const listMyCommands = endpoint('listMyCommands', 'GET /devices/:deviceId/commands', {
  summary: 'Lists the commands to a device since it joined the home, and the stage each has reached.',
  access: { right: 'view', of: 'homeDevice' },
  query: z.strictObject({ ...pagingQuery, stage: z.enum(commandStages).optional() }),
  list: { sortBy: ['createdAt'], default: 'createdAt:desc' },
  answer: z.array(Command),
  reasons,
});

export const sendMyCommand = endpoint('sendMyCommand', 'POST /devices/:deviceId/commands', {
  summary: 'Sends a command. If the device is offline, it is queued until the device connects or it expires.',
  access: { right: 'control', of: 'homeDevice' },
  body: sendCommand.body,
  answer: Command,
  reasons: [...controlling, 'SCHEMA_BROKEN', 'TOO_MANY_COMMANDS', 'TOO_LARGE'],
  audit: 'Command {name} sent to device {deviceId}',
  makesOld: ['commands'],
});

export const readMyCommand = endpoint('readMyCommand', 'GET /devices/:deviceId/commands/:commandId', {
  summary: 'Retrieves a command.',
  access: { right: 'view', of: 'homeDevice' },
  answer: Command,
  reasons: [...reasons, 'COMMAND_NOT_FOUND'],
});

export const listMyDeviceEvents = endpoint('listMyDeviceEvents', 'GET /devices/:deviceId/events', {
  summary: 'Lists the events of a device since it joined the home, newest first.',
  access: { right: 'view', of: 'homeDevice' },
  query: z.strictObject({
    ...range,
    name: z
      .string()
      .max(100)
      .meta({ examples: ['door'] })
      .optional(),
  }),
  answer: z.array(DeviceEvent),
  reasons: [...reasons, 'INVALID_RANGE'],
});
