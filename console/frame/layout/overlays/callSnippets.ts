import type { Recorded } from '#contract/client.ts';
import { isSecretField } from '#rules/secretFields.ts';
import { curlCommand } from '#rules/shell/curlCommand.ts';
import { shellQuoted } from '#rules/shell/shellQuoted.ts';

const mask = '••••••';
/** A placeholder for the session cookie, which scripts cannot read. */
export const cookiePlace =
  'PASTE YOUR SESSION COOKIE HERE: name=value, from the browser tools, Application, Cookies';

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

/** Whether there is any secret to reveal. */
export function hasSecrets({ requestBody, answer }: Recorded): boolean {
  return JSON.stringify([requestBody, answer]) !== JSON.stringify([masked(requestBody), masked(answer)]);
}

/** The call for a terminal. */
export function asCurl(call: Recorded): string {
  const { method, url, headers } = call;
  return curlCommand({
    method,
    url: window.location.origin + url,
    headers: Object.entries(headers),
    body: payloadOf(call),
    options: [`-b ${shellQuoted(cookiePlace)}`],
  });
}

/** The call as a program; in a browser on this origin, the cookie is sent automatically. */
export function asTypeScript(call: Recorded): string {
  const { method, url, headers, requestBody } = call;
  const named = Object.entries(headers).map(([name, value]) => `'${name}': ${JSON.stringify(value)}`);
  const body = isForm(call)
    ? JSON.stringify(payloadOf(call))
    : `JSON.stringify(${JSON.stringify(requestBody, null, 2)})`;
  const init = [
    `method: '${method}'`,
    `headers: { ${named.join(', ')}, cookie: process.env.MOORING_COOKIE ?? '' }`,
    ...(requestBody === undefined ? [] : [`body: ${body}`]),
  ];
  return `const response = await fetch('${window.location.origin}${url}', {
  ${init.join(',\n').replaceAll('\n', '\n  ')},
});
if (!response.ok) throw new Error((await response.json()).reason);
const answer = await response.json();`;
}

/** Generated from the body as shown, so that masked values stay masked. */
function payloadOf(call: Recorded): string | undefined {
  const { requestBody } = call;
  if (requestBody === undefined) return undefined;
  if (!isForm(call)) return JSON.stringify(requestBody);
  return new URLSearchParams(requestBody as Record<string, string>).toString();
}

function isForm({ headers }: Recorded): boolean {
  return headers['content-type'] === 'application/x-www-form-urlencoded';
}
