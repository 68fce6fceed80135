import { link } from '#server/mail/mailLinks.ts';
import type { Platform } from '#server/platform.ts';

/** Where the mail of an invitation leads; without an app, where a developer or a back end invited. */
export function invitationLink(
  { publicUrl }: Pick<Platform, 'publicUrl'>,
  { projectId, appId, token }: { projectId: string; appId?: string | undefined; token: string },
): string {
  const path = `/u/${encodeURIComponent(projectId)}/invitation`;
  return link(publicUrl(), path, { ...(appId !== undefined && { app: appId }), token });
}
