import type { Attempt } from '#contract/moduleRun.ts';

/** What was sent, for a terminal; what is masked stays so. */
export function curlOf({ method, url, headers, body }: NonNullable<Attempt['sent']>): string {
  const lines = [
    `curl -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    // Raw, since a value that begins with @ would be taken for the name of a file.
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
