import { z } from 'zod';
import { ofProject } from './deviceClass.ts';
import { endpoint } from './endpoint.ts';
import { countUpTo } from './paging.ts';
import { rangeMoment, time } from './shapes.ts';

/** The maximum number of properties per project that have figures. */
export const projectPropertiesMax = 500;

export const pointsMax = 1000;
export const pointsDefault = 300;
/** The maximum number of points per property when a call returns all properties. */
export const pointsOfAllMax = 150;
/** The maximum range of a call. */
export const historyRangeDays = 731;

export const resolutions = ['raw', 'fiveMinutes', 'hours'] as const;
export type Resolution = (typeof resolutions)[number];

export const HistoryPoint = z.object({
  /** The beginning of the interval that the point summarizes. Intervals without a report have no point. */
  at: time,
  min: z.number(),
  mean: z.number(),
  max: z.number(),
  /** How many reports the point summarizes. */
  count: z.number().int(),
});
export type HistoryPoint = z.output<typeof HistoryPoint>;

const chosen = {
  begin: time,
  end: time,
  /** The data that the points were computed from: single reports, or five-minute or hourly figures. */
  resolution: z.enum(resolutions),
  /** The length of the interval that each point summarizes, in seconds. */
  stepS: z.number().int(),
};

const HistorySeries = z.object({
  /** The path of the number, such as `power.watts`. */
  property: z.string(),
  points: z.array(HistoryPoint),
});
export type HistorySeries = z.output<typeof HistorySeries>;

export const StateHistory = z.object({ ...chosen, series: z.array(HistorySeries) });
export type StateHistory = z.output<typeof StateHistory>;

export const DeviceStateHistory = StateHistory.extend({
  /** Numbers in the reported state that have no history, because the device or its project has too many. */
  withoutHistory: z.array(z.string()),
});
export type DeviceStateHistory = z.output<typeof DeviceStateHistory>;

const property = z.string().min(1).max(200);
const range = { begin: rangeMoment, end: rangeMoment };

export const historyQuery = z.strictObject({
  property: property.optional(),
  ...range,
  points: countUpTo(pointsMax).optional(),
});

const reasons = ['DEVICE_NOT_FOUND', 'INVALID_RANGE'] as const;
const ofClass = ['DEVICE_CLASS_NOT_FOUND', 'AMBIGUOUS_ID', 'INVALID_RANGE'] as const;

export const readDeviceStateHistory = endpoint(
  'readDeviceStateHistory',
  'GET /devices/:deviceId/stateHistory',
  {
    capability: 'canAdmin',
    summary:
      'Returns the history of a number in the reported state: minimum, mean and maximum for each step of a time range. Without `property`, it returns all numbers that the device reported, with at most 150 points each. The resolution is chosen by range and `points`: single reports are kept for 7 days, five-minute figures for 30, hourly ones for two years, or as the project says.',
    access: { role: 'viewer', of: 'devicePart' },
    query: historyQuery,
    answer: DeviceStateHistory,
    reasons,
  },
);

export const exportDeviceStateHistory = endpoint(
  'exportDeviceStateHistory',
  'GET /devices/:deviceId/stateHistoryExport',
  {
    capability: 'canAdmin',
    summary:
      'Exports the history of a number in the reported state as CSV, in the finest resolution that gives at most 20,000 lines.',
    access: { role: 'viewer', of: 'devicePart' },
    query: z.strictObject({ property, ...range }),
    raw: 'download',
    reasons,
  },
);

export const readClassStateHistory = endpoint(
  'readClassStateHistory',
  'GET /deviceClasses/:classId/stateHistory',
  {
    capability: 'canAdmin',
    summary:
      'Returns the history of a number in the reported state over all devices of a class: minimum, mean and maximum of their reports for each step of a time range. Without `property`, it returns all numbers, with at most 150 points each. It is a few minutes behind.',
    access: { role: 'viewer', of: 'deviceClass' },
    query: ofProject.extend(historyQuery.shape),
    answer: StateHistory,
    reasons: ofClass,
  },
);

export const exportClassStateHistory = endpoint(
  'exportClassStateHistory',
  'GET /deviceClasses/:classId/stateHistoryExport',
  {
    capability: 'canAdmin',
    summary:
      'Exports the history of a number in the reported state over all devices of a class as CSV, in the finest resolution that gives at most 20,000 lines.',
    access: { role: 'viewer', of: 'deviceClass' },
    query: ofProject.extend({ property, ...range }),
    raw: 'download',
    reasons: ofClass,
  },
);

export const rankings = ['highest', 'lowest', 'latest'] as const;
export type Ranking = (typeof rankings)[number];

export const rankedDevicesMax = 100;
export const rankedDevicesDefault = 10;

const RankedDevice = z.object({
  deviceId: z.string(),
  tag: z.string(),
  name: z.string(),
  /** 0 and 1 for values reported as false and true. */
  value: z.number(),
  /** When the device last reported its state. */
  reportedAt: time,
});
export type RankedDevice = z.output<typeof RankedDevice>;

export const RankedDevices = z.object({
  devices: z.array(RankedDevice),
  /** How many devices of the class report the number. */
  reportedBy: z.number().int(),
  /** False: the class has more devices than can be compared in time. `devices` is then empty. */
  isComplete: z.boolean(),
});

export const rankDevices = endpoint('rankDevices', 'GET /deviceClasses/:classId/rankedDevices', {
  capability: 'canAdmin',
  summary:
    'Lists the devices of a class with the highest or lowest current value of a number, or with the latest report of it.',
  access: { role: 'viewer', of: 'deviceClass' },
  query: ofProject.extend({
    property,
    by: z.enum(rankings).optional(),
    limit: countUpTo(rankedDevicesMax).optional(),
  }),
  answer: RankedDevices,
  reasons: ['DEVICE_CLASS_NOT_FOUND', 'AMBIGUOUS_ID'],
});
