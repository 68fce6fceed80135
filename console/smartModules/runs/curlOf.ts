import type { Attempt } from '#contract/moduleRun.ts';
import { shellQuoted } from '#rules/shell/shellQuoted.ts';

/** What was sent, for a terminal; what is masked stays so. */
export function curlOf({ method, url, headers, body }: NonNullable<Attempt['sent']>): string {
  const lines = [
    `curl -X ${method} ${shellQuoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    // Raw, since a value that begins with @ would be taken for the name of a file.
    ...(body === '' ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}
