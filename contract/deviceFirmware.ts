import { z } from 'zod';
import { TargetFrame } from './deviceFrames.ts';
import { consentAnswers, failureClasses, updateStates, updateWaits } from './deviceWire.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { time } from './shapes.ts';

/** What decides which bundle a device should run; the first that applies. */
export const targetOrigins = ['pin', 'rollout', 'channel'] as const;
export type TargetOrigin = (typeof targetOrigins)[number];

const ref = z.object({ id: z.string(), name: z.string() });

/** A home's answer to an update. */
export const Consent = z.object({ answer: z.enum(consentAnswers), until: time.optional(), at: time });
export type Consent = z.output<typeof Consent>;

/** The answer as the team sees it, with the user who gave it; `name` is absent once that user is erased. */
export const HomeAnswer = Consent.extend({
  by: z.object({ id: z.string(), name: z.string().optional() }).optional(),
});
export type HomeAnswer = z.output<typeof HomeAnswer>;

/** What a device was told to run, and the result. */
export const DeviceUpdate = z.object({
  /** Increases by one when the bundle changes, or when somebody makes the device try again. */
  sequence: z.number().int(),
  /** The name is kept when the bundle is deleted. */
  bundle: ref.optional(),
  origin: z.enum(targetOrigins).optional(),
  rolloutId: z.string().optional(),
  assignedAt: time,
  /** When the target was first delivered to the device. */
  offeredAt: time.optional(),
  state: z.enum(updateStates),
  /** When that state began, or the update ended. */
  stateAt: time,
  /** What the device waits for while its state is `ready`. */
  waitsFor: z.enum(updateWaits).optional(),
  /** The last answer from the device's home. */
  consent: HomeAnswer.optional(),
  component: z.string().optional(),
  percent: z.number().optional(),
  /** Bytes of the update that were sent to the device. */
  bytes: z.number().int(),
  /** The size of the deltas that the device was offered instead of whole files. Absent: no deltas were offered. */
  deltaBytes: z.number().int().optional(),
  failure: z.enum(failureClasses).optional(),
  code: z.string().optional(),
  /** The error as reported by the device. */
  error: z.string().optional(),
  attempts: z.number().int(),
  /** When the device is told to try again. */
  retryAt: time.optional(),
});
export type DeviceUpdate = z.output<typeof DeviceUpdate>;

export const DeviceFirmware = z.object({
  /** What the device should run. Absent if nothing was ever assigned to it. */
  current: DeviceUpdate.optional(),
  /** What the device reports as installed. */
  installed: z
    .object({
      bundle: ref.optional(),
      components: z.array(z.object({ component: z.string(), version: z.string() })),
      at: time,
    })
    .optional(),
  /** How the target was decided. */
  why: z.object({
    decidedBy: z.enum(targetOrigins).optional(),
    pin: ref.optional(),
    rollout: z
      .object({
        id: z.string(),
        bundle: ref,
        state: z.string(),
        /** The current step, starting at 1. */
        step: z.number().int(),
        steps: z.number().int(),
        /** The percentage of the channel that the current step covers, and the percentages of all steps. */
        percent: z.number(),
        percents: z.array(z.number()),
        /** The device's place from 0 to 100: it is admitted once the percentage of the step exceeds its place. */
        place: z.number(),
        admittedAt: time.optional(),
        /** When the device will be offered the bundle, if a random delay was drawn. */
        dueAt: time.optional(),
      })
      .optional(),
    channel: z
      .object({ id: z.string().optional(), name: z.string(), bundle: ref.optional(), since: time.optional() })
      .optional(),
  }),
});
export type DeviceFirmware = z.output<typeof DeviceFirmware>;

const reasons = ['DEVICE_NOT_FOUND'] as const;

export const readDeviceFirmware = endpoint('readDeviceFirmware', 'GET /devices/:deviceId/firmware', {
  tokenScope: 'any',
  summary:
    'Returns what a device should run and why, the progress of its update, and what it reports as installed.',
  access: { role: 'viewer', of: 'device' },
  answer: DeviceFirmware,
  reasons,
  capability: 'canAdmin',
});

export const listDeviceUpdates = endpoint('listDeviceUpdates', 'GET /devices/:deviceId/updates', {
  tokenScope: 'any',
  summary: 'Lists the updates of a device and their results, newest first, including the current one.',
  access: { role: 'viewer', of: 'devicePart' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['sequence'], default: 'sequence:desc' },
  answer: z.array(DeviceUpdate),
  reasons,
  capability: 'canAdmin',
});

export const retryDeviceUpdate = endpoint('retryDeviceUpdate', 'POST /devices/:deviceId/firmware/retry', {
  summary:
    'Tells a device to install its bundle again: after it failed or was declined, or because the device reports something else since.',
  access: { role: 'developer', of: 'device' },
  answer: DeviceFirmware,
  reasons: [...reasons, 'ROLE_TOO_LOW', 'NOTHING_TO_RETRY'],
  audit: 'Update of device {id} started again',
  makesOld: ['devices', 'rollouts', 'channels'],
});

const component = TargetFrame.shape.components.element;

/** The target without download links: anyone with such a link can download the file, so only the device gets them. */
export const ShownTarget = TargetFrame.extend({
  components: z.array(
    component
      .omit({ url: true })
      .extend({ delta: component.shape.delta.unwrap().omit({ url: true }).optional() }),
  ),
}).nullable();
export type ShownTarget = z.output<typeof ShownTarget>;

export const readDeviceTarget = endpoint('readDeviceTarget', 'GET /devices/:deviceId/target', {
  tokenScope: 'any',
  summary: 'Returns the target as the device receives it, without its download links.',
  access: { role: 'viewer', of: 'devicePart' },
  answer: ShownTarget,
  reasons,
});
