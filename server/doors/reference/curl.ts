import type { AnyEndpoint } from '#contract/endpoint.ts';
import { shellQuoted } from '#rules/shell/shellQuoted.ts';
import type { Api } from './apis/api.ts';
import { pathParameters, queryParameters } from './openApi/parameters.ts';

interface Given {
  api: Api;
  publicUrl: string;
  body: unknown;
}

/** A call as a curl command. */
export function curlOf(endpoint: AnyEndpoint, { api, publicUrl, body }: Given): string {
  const { method } = endpoint;
  const first = method === 'GET' ? 'curl' : `curl -X ${method}`;
  const parts = [
    `${first} ${quoted(publicUrl + api.prefix.typed + pathOf(endpoint) + queryOf(endpoint))}`,
    ...api.credentialsOf(endpoint),
  ];
  if (body !== undefined) parts.push(...bodyParts(endpoint, body as Record<string, unknown>));
  return parts.join(' \\\n  ');
}

function pathOf(endpoint: AnyEndpoint): string {
  const examples = new Map(pathParameters(endpoint).map(({ name, example }) => [name, String(example)]));
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(examples.get(name) ?? name),
  );
}

function queryOf(endpoint: AnyEndpoint): string {
  const needed = queryParameters(endpoint).filter(({ required }) => required);
  const query = new URLSearchParams(needed.map(({ name, example }) => [name, String(example)]));
  if (endpoint.list) query.set('limit', '25');
  return query.size > 0 ? `?${query}` : '';
}

function bodyParts({ form }: AnyEndpoint, body: Record<string, unknown>): string[] {
  if (form)
    return Object.entries(body).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  return ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`];
}

/** In single quotes, a shell changes nothing; only the quote itself needs escaping. */
function quoted(text: string): string {
  return /^[\w:/.@%+-]+$/.test(text) ? text : shellQuoted(text);
}
