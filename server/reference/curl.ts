import type { Endpoint } from '#contract/endpoint.ts';
import type { JsonSchema } from '#server/reference/jsonSchema.ts';
import { pathParameters, queryParameters } from '#server/reference/openapiParameters.ts';
import { changes } from '#server/reference/reasonsOf.ts';

interface Given {
  baseUrl: string;
  body: unknown;
  named: Record<string, JsonSchema>;
}

/** A call as it is typed into a terminal. The session stays in a file of cookies. */
export function curlOf(endpoint: Endpoint, { baseUrl, body }: Given): string {
  const { method } = endpoint;
  const first = method === 'GET' ? 'curl' : `curl -X ${method}`;
  const parts = [
    `${first} ${quoted(baseUrl + pathOf(endpoint) + queryOf(endpoint))}`,
    '-b cookies.txt -c cookies.txt',
  ];
  if (changes(endpoint)) parts.push("-H 'X-Console-Guard: 1'");
  if (body !== undefined) parts.push(...bodyParts(endpoint, body as Record<string, unknown>));
  return parts.join(' \\\n  ');
}

function pathOf(endpoint: Endpoint): string {
  const examples = new Map(pathParameters(endpoint).map(({ name, example }) => [name, String(example)]));
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(examples.get(name) ?? name),
  );
}

function queryOf(endpoint: Endpoint): string {
  const needed = queryParameters(endpoint).filter(({ required }) => required);
  const query = new URLSearchParams(needed.map(({ name, example }) => [name, String(example)]));
  if (endpoint.list) query.set('limit', '25');
  return query.size > 0 ? `?${query}` : '';
}

function bodyParts({ form }: Endpoint, body: Record<string, unknown>): string[] {
  if (form)
    return Object.entries(body).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  return ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`];
}

/** Between quotes a shell changes nothing; only the quote itself needs care. */
function quoted(text: string): string {
  return /^[\w:/.@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
