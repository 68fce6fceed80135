/** Suffixes that mark a secret regardless of what precedes them: `newPassword`, `auth2FToken`, `webhookSecret`. */
const secretNames =
  /(password|passphrase|secret|token|apikey|privatekey|masterkey|recoverycodes?|claimcode|authorization|cookie)$/i;
/** Names that are secret only as a whole: `statusCode` is not. */
const secretWords = new Set(['code', 'key', 'auth2FUrl', 'signInUrl', 'credentials', 'signature', 'urls']);

/** Whether the field is masked wherever it is shown or logged. */
export function isSecretField(name: string): boolean {
  return secretWords.has(name) || secretNames.test(name.replace(/[-_]/g, ''));
}
