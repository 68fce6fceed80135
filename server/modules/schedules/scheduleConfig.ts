import { z } from 'zod';
import { alertSeverities, alertTextMax } from '#contract/deviceFrames.ts';
import { jsonObject, jsonValue } from '#contract/shapes.ts';
import { idMax } from '#rules/chosenId.ts';
import { eventNameMax, eventNamePattern } from '#rules/eventNames.ts';
import { desired, expiresS } from '#server/modules/actions/actions.ts';

export const scheduledDevicesMax = 1000;

const name = (what: string) =>
  z.string().max(eventNameMax).regex(eventNamePattern, `Enter the name of ${what}.`);
const deviceClass = z.string().min(1, 'Choose a class.').max(idMax);

/** The devices, selected in one of these ways. */
const devices = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('class'),
    deviceClass: deviceClass.meta({ title: 'Device class', ui: { control: 'deviceClass' } }),
  }),
  z.strictObject({
    by: z.literal('tag'),
    tag: z
      .string()
      .trim()
      .min(1, 'Enter the start of a tag.')
      .max(200)
      .meta({ title: 'Tag begins with', ui: { placeholder: 'greenhouse-' } }),
  }),
  z.strictObject({
    by: z.literal('home'),
    homeId: z
      .string()
      .regex(/^\d{1,18}$/, 'A home id is a number.')
      .meta({ title: 'Home id' }),
    deviceClass: z
      .union([z.literal(''), deviceClass])
      .default('')
      .meta({
        title: 'Device class',
        description: 'Limits the schedule to the devices of one class.',
        ui: { control: 'deviceClass' },
      }),
  }),
  z.strictObject({
    by: z.literal('ids'),
    ids: z
      .array(z.string().max(64))
      .min(1, 'Choose at least one device.')
      .max(100)
      .meta({ title: 'Devices', ui: { control: 'device' } }),
  }),
]);
export type ChosenBy = z.output<typeof devices>;

const action = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('command'),
    name: name('a command').meta({ title: 'Command', ui: { control: 'commandName' } }),
    args: jsonObject.default({}).meta({ title: 'Arguments', ui: { control: 'json' } }),
    expiresS,
  }),
  desired,
  z.strictObject({
    kind: z.literal('event'),
    name: name('an event').meta({ title: 'Event', ui: { control: 'eventName' } }),
    payload: jsonValue.default({}).meta({ title: 'Payload', ui: { control: 'json' } }),
  }),
  z.strictObject({
    kind: z.literal('alert'),
    severity: z
      .enum(alertSeverities)
      .default('warning')
      .meta({ title: 'Severity', ui: { control: 'choice' } }),
    text: z.string().trim().min(1, 'Enter a text.').max(alertTextMax).meta({ title: 'Text' }),
  }),
]);
export type ScheduledAction = z.output<typeof action>;

export const scheduleConfig = z.strictObject({
  cron: z
    .string()
    .trim()
    .min(1, 'Enter a time.')
    .max(100)
    .meta({
      title: 'When',
      description:
        'Minute, hour, day of the month, month and day of the week: 0 7 * * 1-5 is 7:00, Monday to Friday.',
      ui: { control: 'cron', placeholder: '0 7 * * 1-5' },
    }),
  timeZone: z
    .string()
    .max(64)
    .default('UTC')
    .meta({ title: 'Time zone', ui: { control: 'timeZone', placeholder: 'Europe/Oslo' } }),
  devices: devices.meta({
    title: 'Devices',
    description: `At most ${scheduledDevicesMax.toLocaleString('en')}. Suspended devices are skipped.`,
    ui: {
      labels: { class: 'All of a class', tag: 'By tag', home: 'All in a home', ids: 'Individual devices' },
    },
  }),
  action: action.meta({
    title: 'Action',
    ui: {
      labels: {
        command: 'Send a command',
        desired: 'Set the desired state',
        event: 'Send an event to apps',
        alert: 'Raise an alert',
      },
    },
  }),
});
export type ScheduleConfig = z.output<typeof scheduleConfig>;
