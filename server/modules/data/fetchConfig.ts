import { z } from 'zod';
import { dayS } from '#rules/time/durations.ts';

export const fetchEvery = { minS: 60, maxS: dayS, defaultS: 300 };

export const fetchConfig = z.strictObject({
  url: z
    .string()
    .min(1, 'Enter an address.')
    .max(2000)
    .meta({
      title: 'Address',
      description: 'Must return JSON of at most 1 MiB. The address must be public and start with https://.',
      ui: { control: 'url', placeholder: 'https://api.example.com/prices.json' },
    }),
  everyS: z
    .number()
    .int()
    .min(fetchEvery.minS, 'At least 60 seconds.')
    .max(fetchEvery.maxS, 'At most one day.')
    .default(fetchEvery.defaultS)
    .meta({ title: 'Every', ui: { control: 'duration', unit: 's' } }),
  part: z
    .string()
    .max(500)
    .regex(/^(\/([^~/]|~[01])*)*$/, 'A JSON pointer begins with a slash: /result/prices.')
    .default('')
    .meta({
      title: 'Part of the answer',
      description: 'JSON pointer to the part to keep. Leave it empty to keep everything.',
      ui: { placeholder: '/result/prices', advanced: true },
    }),
  authorization: z
    .string()
    .max(1000)
    .regex(/^[\x20-\x7e]+$/, 'Use printable ASCII characters only.')
    .optional()
    .meta({
      title: 'Authorization header',
      description: 'Sent with each call.',
      ui: { control: 'secret', placeholder: 'Bearer …', advanced: true },
    }),
});
export type FetchConfig = z.output<typeof fetchConfig>;
