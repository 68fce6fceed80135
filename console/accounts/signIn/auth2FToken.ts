import { tab } from '#console/core/clientStorage.ts';

const key = 'mooring.auth2F';

/**
 * The token between the two steps of a sign-in. Kept for this tab, as phones discard a page while the authenticator is
 * open; it lives five minutes and is worth nothing without a code.
 */
export const storeAuth2FToken = (token: string) => tab.write(key, token);
export const storedAuth2FToken = () => tab.read(key);
export const dropAuth2FToken = () => tab.remove(key);
