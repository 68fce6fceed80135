export const deviceClassKeyMax = 128;

/** The key of a key-value pair: letters and digits, with `_`, `-` and `:` in between. */
export const deviceClassKeyPattern = /^[A-Za-z0-9]([A-Za-z0-9_:-]*[A-Za-z0-9])?$/;

export function isDeviceClassKey(text: string): boolean {
  return text.length <= deviceClassKeyMax && deviceClassKeyPattern.test(text);
}
