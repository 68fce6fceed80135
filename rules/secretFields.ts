/** What a field's name says about it, whatever comes before: `newPassword`, `auth2FToken`, `webhookSecret`. */
const secretNames =
  /(password|passphrase|secret|token|apikey|privatekey|masterkey|recoverycodes?|claimcode|authorization|cookie)$/i;
/** Names that are secret only as a whole: a `statusCode` is none. */
const secretWords = new Set(['code', 'key', 'auth2FUrl', 'signInUrl', 'credentials', 'signature']);

/** Whether the field's value is to be masked wherever it is shown or written down. */
export function isSecretField(name: string): boolean {
  return secretWords.has(name) || secretNames.test(name.replace(/[-_]/g, ''));
}
