/** Random text of letters, digits, `-` and `_`, six bits each. */
export function randomText(length: number): string {
  const bytes = randomBytes(length);
  return Array.from(bytes, byte => signs.charAt(byte & 63)).join('');
}

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function randomBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const source = globalThis.crypto;
  if (typeof source?.getRandomValues === 'function') return source.getRandomValues(bytes);
  throw new Error(
    'This runtime has no crypto.getRandomValues. In React Native, add the package react-native-get-random-values.',
  );
}
