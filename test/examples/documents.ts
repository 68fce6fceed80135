/** What the tests read of an OpenAPI document: all that a stranger needs to send its examples. */
export interface Document {
  servers: { url: string; variables?: Record<string, { default: string }> }[];
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
}

export interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { example: unknown }> };
  responses: Record<string, unknown>;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: { const?: unknown };
  example?: unknown;
}

/** A call as the document's examples describe it. */
export interface Example {
  name: string;
  method: string;
  /** With its parameters in braces. */
  path: string;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  body?: { type: string; value: unknown };
  security: string[];
  statuses: string[];
}

/** The examples of every call of a document. */
export function examplesIn(document: Document): Example[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      exampleOf({ method: method.toUpperCase(), path, operation }, document),
    ),
  );
}

function exampleOf(
  { method, path, operation }: { method: string; path: string; operation: Operation },
  { components }: Document,
): Example {
  const parameters = operation.parameters.map(given =>
    '$ref' in given ? (components.parameters[given.$ref.split('/').at(-1) ?? ''] as Parameter) : given,
  );
  const inPlace = (place: Parameter['in']) =>
    parameters.filter(parameter => parameter.in === place && parameter.example !== undefined);
  const valuesOf = (place: Parameter['in']) =>
    Object.fromEntries(inPlace(place).map(({ name, example }) => [name, example]));
  // A header of one possible value, if the call needs it.
  const headers = parameters.filter(({ in: place, required }) => place === 'header' && required);
  const [body] = Object.entries(operation.requestBody?.content ?? {});
  return {
    name: operation.operationId,
    method,
    path,
    params: valuesOf('path'),
    query: valuesOf('query'),
    headers: Object.fromEntries(headers.map(({ name, schema }) => [name, String(schema.const)])),
    ...(body && { body: { type: body[0], value: body[1].example } }),
    security: operation.security.flatMap(scheme => Object.keys(scheme)),
    statuses: Object.keys(operation.responses),
  };
}
