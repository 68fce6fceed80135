import { z } from 'zod';
import { alertSeverities } from '#contract/deviceFrames.ts';
import type { ConfigUi } from '#contract/moduleConfig.ts';
import { clockTime } from '#contract/quietHours.ts';
import { email, jsonObject } from '#contract/shapes.ts';
import { eventNameMax, eventNamePattern } from '#rules/eventNames.ts';
import { commandTtlDefaultS, commandTtlMaxS } from '#rules/time/lifetimes.ts';
import { type QuietHours, quietHoursFault } from '#rules/time/quietHours.ts';
import { templateMax } from '#server/modules/expressions/textTemplates.ts';

export const actionsMax = 10;
const addressesMax = 20;

const ui = (hints: ConfigUi) => ({ ui: hints });
const template = (max = templateMax) => z.string().max(max, `At most ${max} characters.`);
const zones = new Set(Intl.supportedValuesOf('timeZone')).add('UTC');

/** The expiry of a command, the same for rules and schedules. */
export const expiresS = z
  .int()
  .min(1)
  .max(commandTtlMaxS)
  .default(commandTtlDefaultS)
  .meta({
    title: 'Expires after',
    description: 'A device that stays offline longer than this does not receive it.',
    ...ui({ control: 'duration', unit: 's', advanced: true }),
  });

const command = z
  .strictObject({
    kind: z.literal('command'),
    name: z
      .string()
      .min(1, 'Choose a command.')
      .max(eventNameMax)
      .regex(
        eventNamePattern,
        'Enter the name of a command: letters and digits, with single - or _ between them.',
      )
      .meta({ title: 'Command', ...ui({ control: 'commandName' }) }),
    args: jsonObject.default({}).meta({
      title: 'Arguments',
      description: 'JSON. `"{{ state.temperature }}"` is replaced by the value.',
      ...ui({ control: 'json' }),
    }),
    expiresS,
  })
  .meta({ title: 'Send a command' });

export const desired = z
  .strictObject({
    kind: z.literal('desired'),
    patch: jsonObject.meta({
      title: 'Desired state',
      description: 'Merged into the desired state; null removes a property.',
      ...ui({ control: 'json', placeholder: '{ "targetTemperature": 21 }' }),
    }),
  })
  .meta({ title: 'Set the desired state' });

const alert = z
  .strictObject({
    kind: z.literal('alert'),
    severity: z.enum(alertSeverities).default('warning').meta({ title: 'Severity' }),
    text: template(500)
      .min(1, 'Enter the text of the alert.')
      .meta({
        title: 'Text',
        ...ui({ control: 'template', placeholder: 'It is {{ state.temperature }} °C' }),
      }),
    key: z
      .string()
      .max(100)
      .default('')
      .meta({
        title: 'Key',
        description: 'Alerts of one device with the same key count as one.',
        ...ui({ advanced: true }),
      }),
    resolves: z.boolean().default(true).meta({
      title: 'Resolve it when the condition no longer holds',
      description: 'If an action of this rule ends the condition, that resolves it at once as well.',
    }),
  })
  .meta({ title: 'Raise an alert' });

export const mailRecipients = ['team', 'addresses', 'owner', 'admins', 'members'] as const;

const quiet = z
  .strictObject({
    from: clockTime.meta({ title: 'From' }),
    to: clockTime.meta({ title: 'To' }),
    timeZone: z
      .string()
      .refine(zone => zones.has(zone), 'Choose a time zone, such as Europe/Berlin.')
      .meta({ title: 'Time zone', ...ui({ control: 'timeZone' }) }),
  })
  .refine(quiet => quietHoursFault(quiet) === undefined, {
    path: ['to'],
    error: ({ input }) => quietHoursFault(input as QuietHours) ?? '',
  })
  .meta({
    title: 'Quiet hours',
    description: 'E-mails are held until it ends.',
    ...ui({ advanced: true }),
  });

const mail = z
  .strictObject({
    kind: z.literal('email'),
    to: z
      .enum(mailRecipients)
      .default('team')
      .meta({
        title: 'To',
        ...ui({
          control: 'choice',
          labels: {
            team: 'Owners and developers of the project',
            addresses: 'Team members I choose',
            owner: 'Owner of the home',
            admins: 'Owner and admins of the home',
            members: 'All members of the home',
          },
        }),
      }),
    addresses: z
      .array(email)
      .max(addressesMax)
      .default([])
      .meta({
        title: 'Addresses',
        ...ui({ control: 'emails', when: { property: 'to', is: ['addresses'] } }),
      }),
    subject: template(200)
      .min(1, 'Enter a subject.')
      .meta({ title: 'Subject', ...ui({ control: 'template' }) }),
    text: template()
      .min(1, 'Enter a text.')
      .meta({ title: 'Text', ...ui({ control: 'template' }) }),
    quiet: quiet.optional(),
  })
  .meta({ title: 'Send an e-mail' });

const webhook = z
  .strictObject({
    kind: z.literal('webhook'),
    url: z
      .url({ protocol: /^https?$/, error: 'Enter an address that starts with https://.' })
      .max(2000)
      .meta({ title: 'Address', ...ui({ control: 'url', placeholder: 'https://example.com/hook' }) }),
  })
  .meta({
    title: 'Call a webhook',
    description:
      'Sends a POST with the event, the device and its state, signed with the signing secret of this rule.',
  });

export const Action = z.discriminatedUnion('kind', [command, desired, alert, mail, webhook]).meta(
  ui({
    labels: {
      command: 'Send a command',
      desired: 'Set the desired state',
      alert: 'Raise an alert',
      email: 'Send an e-mail',
      webhook: 'Call a webhook',
    },
  }),
);
export type Action = z.output<typeof Action>;
export type ActionOf<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>;
