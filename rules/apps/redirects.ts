/**
 * Whether a sign-in may return to this address, which must reach only the app itself: a web address that the app
 * claims, a scheme in reverse-domain form of a domain its developer owns, or the device the app runs on (RFC 8252).
 * Redirects are later compared exactly, so the address must have the canonical form that browsers use.
 */
export function isRedirect(text: string): boolean {
  if (!/^[\x21-\x7e]{1,500}$/.test(text) || /[#\\"<>^`{|}*]/.test(text)) return false;
  if (privateScheme.test(text)) return URL.canParse(text);
  if (!URL.canParse(text)) return false;
  const { href, protocol, host, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '' || (href !== text && href !== `${text}/`)) return false;
  // Browsers normalize some addresses to something else: `https:host`, `https:///host`.
  if (!text.startsWith(`${protocol}//${host}`)) return false;
  if (protocol === 'http:') return hostname === '127.0.0.1' || hostname === '[::1]';
  return protocol === 'https:' && domain.test(hostname) && !/\.[0-9]+$/.test(hostname);
}

/** At least two words; no scheme of a browser or an operating system has that. */
const privateScheme =
  /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+:\/{1,2}[A-Za-z0-9._~/?&=%:-]*$/;
const domain = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;
