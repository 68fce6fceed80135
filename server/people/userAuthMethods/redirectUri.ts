import type { Platform } from '#server/infra/platform.ts';

/**
 * The redirect URI to register at a provider. Each method has its own, so that the answer of one provider is never
 * mistaken for that of another; methods of earlier releases share one.
 */
export function redirectUri(
  { publicUrl }: Pick<Platform, 'publicUrl'>,
  methodId: string | undefined,
): string {
  return `${publicUrl()}/api/userAuth/callback${methodId === undefined ? '' : `/${methodId}`}`;
}
