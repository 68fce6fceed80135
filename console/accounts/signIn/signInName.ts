import { tab } from '#console/clientStorage.ts';

const key = 'mooring.signInName';

/** Who has just signed up in this tab, or forgot the password, need not type the address again. */
export const keepSignInName = (email: string) => tab.write(key, email);
export const keptSignInName = () => tab.read(key) ?? '';
export const dropSignInName = () => tab.remove(key);
