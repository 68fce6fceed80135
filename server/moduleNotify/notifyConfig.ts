import { z } from 'zod';
import { homeRoles } from '#contract/home.ts';

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time is written 22:00.');
const mailsPerHour = { default: 4, max: 60 };

export const notifyConfig = z.strictObject({
  roles: z
    .array(z.enum(homeRoles))
    .min(1, 'Choose at least one.')
    .max(homeRoles.length)
    .default(['owner', 'admin', 'member'])
    .meta({
      title: 'To',
      description: 'Which members of the home get the e-mail. Guests get it for the devices opened to them.',
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
        'Plain text; an empty line begins a paragraph. Values of the event and of the reported state: {{ payload.temperature }}, {{ state.battery }}.',
      ui: { control: 'lines' },
    }),
  hasQuietTime: z
    .boolean()
    .default(false)
    .meta({ title: 'Quiet time', description: 'No e-mails at night, by the time zone of the home.' }),
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
      title: 'What comes in the quiet time',
      ui: {
        control: 'choice',
        labels: { wait: 'Is sent when it ends', drop: 'Is not sent' },
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
      description: 'Further events of the home in the same hour send nothing.',
      ui: { unit: 'e-mails an hour for a home', advanced: true },
    }),
});
export type NotifyConfig = z.output<typeof notifyConfig>;
