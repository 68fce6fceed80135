import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type Api, callsIn } from '#server/doors/reference/apis/api.ts';
import { exampleOf } from '#server/doors/reference/example.ts';
import { success } from './answers.ts';
import { answerSchema, inputSchema, type JsonSchema, namedSchemas, nameOf } from './jsonSchema.ts';
import { answerHeaders, parametersOf, sharedParameters } from './parameters.ts';
import { problemResponses, problemSchema, reasonExamples } from './problems.ts';

type Part = Record<string, unknown>;

export interface OpenApi {
  openapi: '3.1.0';
  info: Part;
  servers: Part[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Part>>;
  components: Record<string, Part> & { schemas: Record<string, JsonSchema> };
}

/** Generates the OpenAPI 3.1 document of an API from the contract. */
export function openApi(api: Api, { version }: { version: string }): OpenApi {
  const named = namedSchemas(callsIn(api).map(({ answer }) => answer));
  return {
    openapi: '3.1.0',
    info: {
      title: `Mooring ${api.title.charAt(0).toLowerCase()}${api.title.slice(1)}`,
      version,
      description: api.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [api.server],
    tags: api.groups.map(({ title }) => ({ name: title })),
    paths: pathsOf(api, named),
    components: {
      schemas: { ...named, Problem: problemSchema },
      parameters: sharedParameters,
      headers: answerHeaders,
      examples: reasonExamples,
      securitySchemes: api.securitySchemes,
    },
  };
}

function pathsOf(api: Api, named: Record<string, JsonSchema>): OpenApi['paths'] {
  const paths: OpenApi['paths'] = {};
  for (const { title, calls } of api.groups) {
    for (const endpoint of calls) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: operation(endpoint, { api, tag: title, named }),
      };
    }
  }
  return paths;
}

function operation(
  endpoint: AnyEndpoint,
  { api, tag, named }: { api: Api; tag: string; named: Record<string, JsonSchema> },
): Part {
  const body = bodyOf(endpoint, named);
  return {
    operationId: endpoint.name,
    tags: [tag],
    summary: endpoint.summary,
    description: api.accessOf(endpoint),
    security: api.securityOf(endpoint),
    parameters: parametersOf(endpoint, api),
    ...(body && { requestBody: body }),
    responses: { ...success(endpoint, named), ...problemResponses(endpoint, api) },
  };
}

/** An example of the body of a call, if it has one. */
export function bodyExample(endpoint: AnyEndpoint, named: Record<string, JsonSchema>): unknown {
  const schema = inputSchema(endpoint.body);
  const isNothing =
    schema.additionalProperties === false && Object.keys(schema.properties ?? {}).length === 0;
  if (isNothing) return undefined;
  return exampleOf(schema, named, nameOf(answerSchema(endpoint.answer)));
}

function bodyOf(endpoint: AnyEndpoint, named: Record<string, JsonSchema>): Part | undefined {
  const example = bodyExample(endpoint, named);
  if (example === undefined) return undefined;
  const type = endpoint.form ? 'application/x-www-form-urlencoded' : 'application/json';
  return { required: true, content: { [type]: { schema: inputSchema(endpoint.body), example } } };
}
