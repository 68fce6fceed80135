import { shellQuoted } from './shellQuoted.ts';

interface CurlCall {
  method: string;
  url: string;
  headers?: readonly (readonly [name: string, value: string])[];
  /** Empty: none. */
  body?: string | undefined;
  /** Options of curl, already quoted for a shell. */
  options?: readonly string[];
}

/** A call as a curl command for a POSIX shell, over several lines. */
export function curlCommand({ method, url, headers = [], body = '', options = [] }: CurlCall): string {
  const lines = [
    `curl ${methodOption(method, body)}${shellQuoted(url)}`,
    // Without --globoff, curl treats brackets and braces in a URL as a list of URLs.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...headers.map(([name, value]) => `-H ${shellQuoted(headerLine(name, value))}`),
    ...options,
    // Raw, because curl treats a value that begins with @ as a filename.
    ...(body === '' ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** With `-X HEAD`, curl would wait for a body. */
function methodOption(method: string, body: string): string {
  if (method === 'HEAD') return '--head ';
  return method === 'GET' && body === '' ? '' : `-X ${method} `;
}

/** `Name:` would remove the header; `Name;` sends it empty. */
function headerLine(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}
