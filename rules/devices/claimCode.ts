/**
 * The charset of a generated claim code. It omits characters that are easily confused, because people read codes aloud:
 * O and 0, I, L and 1.
 */
export const claimCodeCharacters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
/** The length of a generated claim code. */
export const claimCodeLength = 10;
/** The length of a claim code chosen by the caller. */
export const claimCodeMin = 6;
export const claimCodeMax = 32;
