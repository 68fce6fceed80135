/** Members of requests and answers that must not be visible on screen or copied with the traffic. */
const secrets =
  /^(password|oldPassword|newPassword|accessToken|refreshToken|token|ticket|invitation|apiKey|code|codeVerifier)$/;
const mask = '••••';

/** Masks the secrets in JSON; returns other text unchanged. */
export function maskSecrets(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) =>
      secrets.test(name) && typeof value === 'string' ? mask : value,
    );
  } catch {
    return text;
  }
}

/** Masks secrets in a query or a header, by name. */
export function maskHeader(name: string, value: string): string {
  return name.toLowerCase() === 'authorization' ? value.replace(/ .*/, ` ${mask}`) : value;
}
