import type { Platform } from '#server/infra/platform.ts';
import { link } from '#server/mail/sending/mailLinks.ts';

/** The link in the e-mail of an invitation: a page where a person without an account can create one. */
export function invitationLink(
  { publicUrl }: Pick<Platform, 'publicUrl'>,
  { projectId, token }: { projectId: string; token: string },
): string {
  return link(publicUrl(), `/u/${encodeURIComponent(projectId)}/invitation`, { token });
}
