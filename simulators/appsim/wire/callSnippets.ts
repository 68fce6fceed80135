import { curlCommand } from '#rules/shell/curlCommand.ts';
import type { Asked } from './appWire.ts';

/** The call for a shell. The token is a variable, because the shown one is masked. */
export function curlOf(
  { method, path, headers, body }: Asked,
  app: { origin: string; name: string },
): string {
  const { authorization, ...others } = headers;
  return curlCommand({
    method,
    url: `${app.origin}/app/v1/${app.name}${path}`,
    headers: Object.entries(others),
    body,
    // In double quotes, so that the shell substitutes the variable.
    options: authorization === undefined ? [] : ['-H "Authorization: Bearer $ACCESS_TOKEN"'],
  });
}

/** The call with the SDK. */
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
