import type { AccessToken } from '#contract/accessToken.ts';

export const scopeWords: Record<AccessToken['scope'], string> = {
  read: 'Read',
  firmware: 'Firmware',
  all: 'Everything',
};
