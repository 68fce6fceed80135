import { hourS } from '../time/durations.ts';

/** The charset of a generated key: letters and digits. */
export const deviceKeyCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const deviceKeyLength = 32;
/** How long a temporary key is valid. */
export const temporaryKeyTtlS = hourS;
