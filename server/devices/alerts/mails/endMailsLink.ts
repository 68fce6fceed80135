import type { Platform } from '#server/infra/platform.ts';
import { link } from '#server/mail/sending/mailLinks.ts';

export interface Subscriber {
  projectId: string;
  developerId: string;
}

const purpose = 'alert mails';
export const unsubscribePath = '/unsubscribe/alerts';

/** Works without signing in and never expires, like the e-mail that contains it. Only this server can create one. */
export function unsubscribeUrl(
  { sealing, publicUrl }: Pick<Platform, 'sealing' | 'publicUrl'>,
  { projectId, developerId }: Subscriber,
): string {
  const sealed = sealing.seal(JSON.stringify([purpose, projectId, developerId]));
  return link(publicUrl(), unsubscribePath, { token: sealed.toString('base64url') });
}

/** Undefined: the token is not one of ours. */
export function subscriberOf({ sealing }: Pick<Platform, 'sealing'>, token: string): Subscriber | undefined {
  try {
    const opened: unknown = JSON.parse(sealing.open(Buffer.from(token, 'base64url')));
    if (!Array.isArray(opened) || opened[0] !== purpose) return undefined;
    const [, projectId, developerId] = opened as [string, string, string];
    return { projectId, developerId };
  } catch {
    return undefined;
  }
}
