import type { Platform } from '#server/platform.ts';

/** To be registered at every provider. */
export function redirectUri({ publicUrl }: Pick<Platform, 'publicUrl'>): string {
  return `${publicUrl()}/api/userAuth/callback`;
}
