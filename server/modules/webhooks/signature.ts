import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A symmetric key in the format of Standard Webhooks. */
export const newSigningSecret = () => prefix + randomBytes(32).toString('base64');

/** Headers that let a receiver verify who sent a body, and that it is not a replay. */
export function signedHeaders(
  { id, at, body }: { id: string; at: Date; body: string },
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map(secret => `v1,${signatureOf(`${id}.${timestamp}.${body}`, secret)}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

function signatureOf(signed: string, secret: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return createHmac('sha256', key).update(signed).digest('base64');
}
