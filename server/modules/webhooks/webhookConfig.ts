import { z } from 'zod';

const urlMax = 2000;
const line = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\x20-\x7e]+$/, 'Use printable ASCII characters only.');

/** A symmetric key in the format of Standard Webhooks: 24 to 64 bytes. */
const signingSecret = z
  .string()
  .regex(
    /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/,
    'A signing secret is whsec_ followed by 24 to 64 bytes in base64.',
  )
  .refine(secret => {
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64').length;
    return bytes >= 24 && bytes <= 64;
  }, 'A signing secret is whsec_ followed by 24 to 64 bytes in base64.');

export const webhookConfig = z.strictObject({
  url: z
    .string()
    .min(1, 'Enter an address.')
    .max(urlMax)
    .meta({
      title: 'Address',
      description: 'Each event is sent to this address by POST. It must be public and start with https://.',
      ui: { control: 'url', placeholder: 'https://example.com/hooks/mooring' },
    }),
  secret: signingSecret.meta({
    title: 'Signing secret',
    description:
      'Lets the receiver verify that a call comes from this module. Leave it empty to generate one. After a change, calls are also signed with the previous secret for 24 hours.',
    ui: { control: 'secret', placeholder: 'whsec_…' },
  }),
  authorization: line(1000)
    .optional()
    .meta({
      title: 'Authorization header',
      description: 'Sent with each call, if the receiver requires one in addition to the signature.',
      ui: { control: 'secret', placeholder: 'Bearer …', advanced: true },
    }),
});
export type WebhookConfig = z.output<typeof webhookConfig>;
