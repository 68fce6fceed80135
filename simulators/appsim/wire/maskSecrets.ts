/** Members of requests and answers that nobody should read over a shoulder, or send along with a log. */
const secrets =
  /^(password|oldPassword|newPassword|accessToken|refreshToken|token|ticket|invitation|apiKey|code|codeVerifier)$/;
const mask = '••••';

/** JSON without its secrets; other text as it is. */
export function maskSecrets(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) =>
      secrets.test(name) && typeof value === 'string' ? mask : value,
    );
  } catch {
    return text;
  }
}

/** Secrets in a query or header, by their place. */
export function maskHeader(name: string, value: string): string {
  return name.toLowerCase() === 'authorization' ? value.replace(/ .*/, ` ${mask}`) : value;
}
