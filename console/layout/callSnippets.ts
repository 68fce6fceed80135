import type { Recorded } from '#contract/client.ts';
import { isSecretField } from '#rules/secretFields.ts';

const mask = '••••••';

/** The same value with every secret in it masked. */
export function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    isSecretField(name) ? mask : masked(one),
  ]);
  return Object.fromEntries(entries);
}

/** Whether there is anything to show when secrets are asked for. */
export function hasSecrets({ requestBody, answer }: Recorded): boolean {
  return JSON.stringify([requestBody, answer]) !== JSON.stringify([masked(requestBody), masked(answer)]);
}

/** The call for a terminal. The session's cookie cannot be read by scripts, so its place is left open. */
export function asCurl({ method, url, requestBody }: Recorded): string {
  const lines = [
    `curl -X ${method} ${quoted(window.location.origin + url)}`,
    `-H 'X-Console-Guard: 1'`,
    `-b 'PASTE YOUR SESSION COOKIE HERE: name=value, from the browser tools, Application, Cookies'`,
  ];
  if (requestBody !== undefined)
    lines.push(`-H 'Content-Type: application/json'`, `--data ${quoted(JSON.stringify(requestBody))}`);
  return lines.join(' \\\n  ');
}

/** The call for a program; in a browser on this origin the cookie goes along by itself. */
export function asTypeScript({ method, url, requestBody }: Recorded): string {
  const headers: Record<string, string> = { 'X-Console-Guard': '1' };
  if (requestBody !== undefined) headers['Content-Type'] = 'application/json';
  const init = [
    `method: '${method}'`,
    `headers: { ${Object.entries(headers)
      .map(([name, value]) => `'${name}': '${value}'`)
      .join(', ')}, Cookie: process.env.MOORING_COOKIE ?? '' }`,
    ...(requestBody === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(requestBody, null, 2)})`]),
  ];
  return `const response = await fetch('${window.location.origin}${url}', {
  ${init.join(',\n').replaceAll('\n', '\n  ')},
});
if (!response.ok) throw new Error((await response.json()).reason);
const answer = await response.json();`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
