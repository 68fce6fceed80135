import { link } from '#server/mail/mailLinks.ts';
import type { Platform } from '#server/platform.ts';

/** Where the mail of an invitation leads: a page that gives an account to who has none. */
export function invitationLink(
  { publicUrl }: Pick<Platform, 'publicUrl'>,
  { projectId, token }: { projectId: string; token: string },
): string {
  return link(publicUrl(), `/u/${encodeURIComponent(projectId)}/invitation`, { token });
}
