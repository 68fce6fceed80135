import { tab } from '#console/core/clientStorage.ts';

const key = 'mooring.signInName';

/** After a sign-up or a forgotten password in this tab, the address need not be typed again. */
export const storeSignInName = (email: string) => tab.write(key, email);
export const storedSignInName = () => tab.read(key) ?? '';
export const dropSignInName = () => tab.remove(key);
