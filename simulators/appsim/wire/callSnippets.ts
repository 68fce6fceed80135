import { shellQuoted } from '#rules/shell/shellQuoted.ts';
import type { Asked } from './appWire.ts';

/** The same call for a shell. The token is to be put in: what is shown is masked. */
export function curlOf(
  { method, path, headers, body }: Asked,
  app: { origin: string; name: string },
): string {
  const lines = [`curl ${shellQuoted(`${app.origin}/app/v1/${app.name}${path}`)}`];
  if (method !== 'GET') lines.push(`-X ${method}`);
  for (const [name, value] of Object.entries(headers))
    lines.push(
      name === 'authorization'
        ? '-H "Authorization: Bearer $ACCESS_TOKEN"'
        : `-H ${shellQuoted(`${name}: ${value}`)}`,
    );
  if (body) lines.push(`-d ${shellQuoted(body)}`);
  return lines.join(' \\\n  ');
}

/** The same call with the SDK. */
export function typescriptOf({ method, path, body }: Asked): string {
  const init = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(body
      ? ["  headers: { 'content-type': 'application/json' },", `  body: JSON.stringify(${body}),`]
      : []),
  ];
  const more = init.length > 0 ? `, {\n${init.join('\n')}\n}` : '';
  return `const answer = await app.fetch(${JSON.stringify(path).replaceAll('"', "'")}${more});\nconsole.log(answer.status, await answer.json());\n`;
}
