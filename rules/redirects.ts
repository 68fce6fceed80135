/**
 * Where a sign-in may return to, by which only the app itself is reached: a web address that it claims, a scheme in the
 * reverse of a domain that its developer has, or the device it runs on (RFC 8252). It is compared letter by letter later,
 * so it has to stand in the one form that browsers give it.
 */
export function isRedirect(text: string): boolean {
  if (!/^[\x21-\x7e]{1,500}$/.test(text) || /[#\\"<>^`{|}*]/.test(text)) return false;
  if (privateScheme.test(text)) return URL.canParse(text);
  if (!URL.canParse(text)) return false;
  const { href, protocol, host, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '' || (href !== text && href !== `${text}/`)) return false;
  // What browsers call an address is not what is written: `https:host`, `https:///host`.
  if (!text.startsWith(`${protocol}//${host}`)) return false;
  if (protocol === 'http:') return hostname === '127.0.0.1' || hostname === '[::1]';
  return protocol === 'https:' && domain.test(hostname) && !/\.[0-9]+$/.test(hostname);
}

/** Two words at least, as no scheme of a browser or a system has. */
const privateScheme =
  /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+:\/{1,2}[A-Za-z0-9._~/?&=%:-]*$/;
const domain = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;
