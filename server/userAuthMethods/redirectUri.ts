import type { Platform } from '#server/platform.ts';

/**
 * To be registered at a provider. Of a method's own, so that what one provider returns is never taken for another's; those
 * from before share one.
 */
export function redirectUri(
  { publicUrl }: Pick<Platform, 'publicUrl'>,
  methodId: string | undefined,
): string {
  return `${publicUrl()}/api/userAuth/callback${methodId === undefined ? '' : `/${methodId}`}`;
}
