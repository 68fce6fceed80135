import { callsOf, endpoints, nouns } from '#contract/all.ts';
import type { Access, Endpoint } from '#contract/endpoint.ts';
import { exampleOf } from './example.ts';
import { answerSchema, inputSchema, type JsonSchema, namedSchemas, nameOf } from './jsonSchema.ts';
import { success } from './openapiAnswers.ts';
import { listHeaders, parametersOf, sharedParameters } from './openapiParameters.ts';
import { problemResponses, problemSchema, reasonExamples } from './openapiProblems.ts';

type Part = Record<string, unknown>;

export interface OpenApi {
  openapi: '3.1.0';
  info: Part;
  servers: Part[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Part>>;
  components: Record<string, Part> & { schemas: Record<string, JsonSchema> };
}

/** The developer API as an OpenAPI 3.1 document, made from the contract. */
export function openApi({ version }: { version: string }): OpenApi {
  const named = namedSchemas(endpoints.map(({ answer }) => answer));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mooring developer API',
      version,
      description: 'The API of the developer console, open to your scripts as well.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api' }],
    tags: Object.keys(nouns).map(name => ({ name })),
    paths: pathsOf(named),
    components: {
      schemas: { ...named, Problem: problemSchema },
      parameters: sharedParameters,
      headers: listHeaders,
      examples: reasonExamples,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'mooring', description: sessionSentence },
        accessToken: { type: 'http', scheme: 'bearer', description: tokenSentence },
      },
    },
  };
}

const sessionSentence =
  'Set by `POST /auth/password` and `POST /auth/auth2F`; on https its name is `__Host-mooring`.';

const tokenSentence =
  'Created under Account in the console, or by `createAccessToken`; it begins with `mor_`.';

function pathsOf(named: Record<string, JsonSchema>): OpenApi['paths'] {
  const paths: OpenApi['paths'] = {};
  for (const [tag, noun] of Object.entries(nouns)) {
    for (const endpoint of callsOf(noun)) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, tag, named) };
    }
  }
  return paths;
}

function operation(endpoint: Endpoint, tag: string, named: Record<string, JsonSchema>): Part {
  const body = bodyOf(endpoint, named);
  return {
    operationId: endpoint.name,
    tags: [tag],
    summary: endpoint.summary,
    description: [accessSentence(endpoint.access), tokenScopeSentence(endpoint)].filter(Boolean).join(' '),
    security: securityOf(endpoint),
    parameters: parametersOf(endpoint),
    ...(body && { requestBody: body }),
    responses: { ...success(endpoint, named), ...problemResponses(endpoint) },
  };
}

/** Who may call, in a sentence. */
export function accessSentence(access: Access): string {
  if (access === 'public') return 'No sign-in needed.';
  if (access === 'login') return 'Any signed-in developer.';
  if (access === 'verified') return 'Any signed-in developer with a verified e-mail address.';
  if (access === 'self') return 'Only the developer named in the path.';
  if (access.role === 'viewer') return 'Any member of the project.';
  return access.role === 'owner' ? 'Owners of the project.' : 'Developers and owners of the project.';
}

/** Which access tokens can make it, in a sentence; public calls need none. */
export function tokenScopeSentence({ access, tokenScope }: Endpoint): string {
  if (access === 'public') return '';
  if (tokenScope === 'none') return 'Not available to access tokens.';
  return tokenScope === 'all'
    ? 'Access tokens need the scope `all`.'
    : `Access tokens need the scope \`${tokenScope}\` or more.`;
}

function securityOf({ access, tokenScope }: Endpoint): Part[] {
  if (access === 'public') return [];
  return tokenScope === 'none' ? [{ session: [] }] : [{ session: [] }, { accessToken: [] }];
}

/** An example of what a call is sent, where it is sent anything. */
export function bodyExample(endpoint: Endpoint, named: Record<string, JsonSchema>): unknown {
  const schema = inputSchema(endpoint.body);
  if (Object.keys(schema.properties ?? {}).length === 0) return undefined;
  return exampleOf(schema, named, nameOf(answerSchema(endpoint.answer)));
}

function bodyOf(endpoint: Endpoint, named: Record<string, JsonSchema>): Part | undefined {
  const example = bodyExample(endpoint, named);
  if (example === undefined) return undefined;
  const type = endpoint.form ? 'application/x-www-form-urlencoded' : 'application/json';
  return { required: true, content: { [type]: { schema: inputSchema(endpoint.body), example } } };
}
