import { z } from 'zod';

const urlMax = 2000;
const line = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\x20-\x7e]+$/, 'Use letters, digits and signs of ASCII.');

/** As Standard Webhooks writes a symmetric key: 24 to 64 bytes. */
const signingSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'A secret is whsec_ and 24 to 64 bytes in base64.')
  .refine(secret => {
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64').length;
    return bytes >= 24 && bytes <= 64;
  }, 'A secret is whsec_ and 24 to 64 bytes in base64.');

export const webhookConfig = z.strictObject({
  url: z
    .string()
    .min(1, 'Enter an address.')
    .max(urlMax)
    .meta({
      title: 'Address',
      description: 'Each event is sent here by POST. It must be public and start with https://.',
      ui: { control: 'url', placeholder: 'https://example.com/hooks/mooring' },
    }),
  secret: signingSecret.meta({
    title: 'Signing secret',
    description:
      'By which the receiver knows that a call is from this module. Left empty, one is made. After a change the previous one signs as well for 24 hours.',
    ui: { control: 'secret', placeholder: 'whsec_…' },
  }),
  authorization: line(1000)
    .optional()
    .meta({
      title: 'Authorization header',
      description: 'Sent with each call, where the receiver asks for one besides the signature.',
      ui: { control: 'secret', placeholder: 'Bearer …', advanced: true },
    }),
});
export type WebhookConfig = z.output<typeof webhookConfig>;
