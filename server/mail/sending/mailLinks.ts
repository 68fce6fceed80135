/**
 * A URL in the console. `baseUrl` is the configured one, including the path of the organization if any
 * (`https://iot.example/orgs/acme`); never one from a request, because anyone can forge its Host header.
 */
export function link(baseUrl: string, path: string, query: Record<string, string> = {}): string {
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Error(`This is not a web address: ${baseUrl}`);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.search = new URLSearchParams(query).toString();
  url.hash = '';
  return url.href;
}
