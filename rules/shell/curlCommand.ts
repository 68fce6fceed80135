import { shellQuoted } from './shellQuoted.ts';

interface CurlCall {
  method: string;
  url: string;
  headers?: readonly (readonly [name: string, value: string])[];
  /** Empty: none. */
  body?: string | undefined;
  /** Of curl, written as a shell takes them. */
  options?: readonly string[];
}

/** A call as it is pasted into a POSIX shell, over several lines. */
export function curlCommand({ method, url, headers = [], body = '', options = [] }: CurlCall): string {
  const lines = [
    `curl ${methodOption(method, body)}${shellQuoted(url)}`,
    // Without --globoff, curl takes brackets and braces in an address for a list of addresses.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...headers.map(([name, value]) => `-H ${shellQuoted(headerLine(name, value))}`),
    ...options,
    // Raw, since a value that begins with @ would be taken for the name of a file.
    ...(body === '' ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** With `-X HEAD`, curl would wait for a body. */
function methodOption(method: string, body: string): string {
  if (method === 'HEAD') return '--head ';
  return method === 'GET' && body === '' ? '' : `-X ${method} `;
}

/** `Name:` would take the header away; a semicolon sends it empty. */
function headerLine(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}
