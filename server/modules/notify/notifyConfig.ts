import { z } from 'zod';
import { homeRoles } from '#contract/home.ts';
import { clockTime } from '#contract/quietHours.ts';

const mailsPerHour = { default: 4, max: 60 };

export const notifyConfig = z.strictObject({
  roles: z
    .array(z.enum(homeRoles))
    .min(1, 'Choose at least one.')
    .max(homeRoles.length)
    .default(['owner', 'admin', 'member'])
    .meta({
      title: 'To',
      description:
        'Which members of the home get the e-mail. Guests get it only for devices they have access to.',
      ui: {
        control: 'choice',
        labels: { owner: 'Owner', admin: 'Admins', member: 'Members', guest: 'Guests' },
      },
    }),
  subject: z
    .string()
    .trim()
    .min(1, 'Enter a subject.')
    .max(200)
    .meta({
      title: 'Subject',
      ui: { control: 'template', placeholder: '{{ device.name }} in {{ home.name }}' },
    }),
  text: z
    .string()
    .trim()
    .min(1, 'Enter a text.')
    .max(5000)
    .meta({
      title: 'Text',
      description:
        'Plain text; an empty line starts a new paragraph. Insert values of the event and of the reported state: {{ event.payload.temperature }}, {{ state.battery }}.',
      ui: { control: 'lines' },
    }),
  hasQuietTime: z.boolean().default(false).meta({
    title: 'Quiet hours',
    description: 'No e-mails between two times of day, in the time zone of the home.',
  }),
  quietFrom: clockTime
    .default('22:00')
    .meta({ title: 'From', ui: { placeholder: '22:00', when: { property: 'hasQuietTime', is: [true] } } }),
  quietTo: clockTime
    .default('07:00')
    .meta({ title: 'To', ui: { placeholder: '07:00', when: { property: 'hasQuietTime', is: [true] } } }),
  inQuietTime: z
    .enum(['wait', 'drop'])
    .default('wait')
    .meta({
      title: 'E-mails during quiet hours',
      ui: {
        control: 'choice',
        labels: { wait: 'Send when it ends', drop: 'Do not send' },
        when: { property: 'hasQuietTime', is: [true] },
      },
    }),
  perHour: z
    .number()
    .int()
    .min(1)
    .max(mailsPerHour.max)
    .default(mailsPerHour.default)
    .meta({
      title: 'At most',
      description: 'Further events of the home in the same hour send no e-mail.',
      ui: { unit: 'e-mails per home and hour', advanced: true },
    }),
});
export type NotifyConfig = z.output<typeof notifyConfig>;
