import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { reasons } from '#contract/problem.ts';
import { type Api, callsIn } from '#server/doors/reference/apis/api.ts';
import { endUserApi } from '#server/doors/reference/apis/ofApps.ts';
import { backEndApi } from '#server/doors/reference/apis/ofBackEnds.ts';
import { developerApi } from '#server/doors/reference/apis/ofDevelopers.ts';
import { reasonsOf } from '#server/doors/reference/reasonsOf.ts';
import { slices } from '#server/slices.ts';
import { answerExample } from './answers.ts';
import { bodyExample, openApi } from './document.ts';
import { answerSchema, namedSchemas } from './jsonSchema.ts';
import { queryParameters } from './parameters.ts';

const apis = [developerApi, endUserApi, backEndApi].map((api): [string, Api] => [api.title, api]);

describe.each(apis)('%s', (_title, api) => {
  const endpoints = callsIn(api);
  const document = openApi(api, { version: '1.2.3' });
  const named = namedSchemas(endpoints.map(({ answer }) => answer));

  test('the document is valid OpenAPI 3.1, and all its references exist', async () => {
    const { valid, errors } = await new Validator().validate(
      structuredClone(document) as object as Record<string, unknown>,
    );
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    for (const ref of refsIn(document)) expect(atPointer(document, ref), ref).toBeDefined();
  });

  test('every call is in the document, with every reason it can fail with', () => {
    for (const endpoint of endpoints) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
      const operation = document.paths[path]?.[endpoint.method.toLowerCase()] as {
        operationId: string;
        responses: Record<string, { content?: { 'application/json': { examples?: object } } }>;
      };
      expect(operation?.operationId, path).toBe(endpoint.name);
      for (const reason of reasonsOf(endpoint, api)) {
        const response = operation.responses[reasons[reason][0]];
        expect(response?.content?.['application/json'].examples, `${endpoint.name} ${reason}`).toHaveProperty(
          reason,
        );
      }
    }
  });

  test.each(endpoints.map(endpoint => [endpoint.name, endpoint] as const))(
    'the examples of %s match its schemas',
    (_, endpoint) => {
      const body = bodyExample(endpoint, named);
      if (body !== undefined) expect(endpoint.body.safeParse(body).error).toBeUndefined();
      const schema = answerSchema(endpoint.answer);
      const answer = Object.keys(schema).length === 0 ? undefined : answerExample(endpoint, named);
      expect(endpoint.answer.safeParse(answer).error).toBeUndefined();
      const query = queryParameters(endpoint).map(({ name, example }) => [name, example]);
      expect(endpoint.query.safeParse(Object.fromEntries(query)).error).toBeUndefined();
    },
  );

  test('ids in examples begin like those that the server gives', () => {
    const text = JSON.stringify(document);
    const prefixes = [...text.matchAll(/(\w*?_?)01kag4m8y2e6tvp0rm7n4s9cqd/g)].map(([, prefix]) => prefix);
    const given = slices.flatMap(({ idPrefixes = [] }) => idPrefixes.map(prefix => `${prefix}_`));
    expect([...new Set(prefixes)].filter(prefix => !given.includes(prefix ?? ''))).toEqual([]);
    expect(prefixes.length).toBeGreaterThan(100);
  });

  test('every operation has a unique name', () => {
    const names = endpoints.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

/** The parameters and the headers of the answer of a call in a document. */
function declaredOf(api: Api, name: string) {
  const { paths } = openApi(api, { version: '1.2.3' });
  const found = Object.values(paths)
    .flatMap(path => Object.values(path))
    .find(({ operationId }) => operationId === name) as {
    parameters: { name?: string; $ref?: string; description?: string; schema?: object }[];
    responses: Record<string, { headers?: object }>;
  };
  return { parameters: found.parameters, headers: Object.keys(found.responses[200]?.headers ?? {}) };
}

test('the guard header is required of calls that need a session, and of no call by an access token', () => {
  const guardsOf = (name: string) =>
    declaredOf(developerApi, name).parameters.flatMap(({ $ref = '' }) => /guard\w*$/.exec($ref)?.[0] ?? []);
  expect(guardsOf('deleteProject')).toEqual(['guard']);
  expect(guardsOf('logIn')).toEqual(['guard']);
  expect(guardsOf('createDevice')).toEqual(['guardOfSessions']);
  expect(guardsOf('listDevices')).toEqual([]);
  const { guard, guardOfSessions } = openApi(developerApi, { version: '1' }).components.parameters ?? {};
  expect([guard, guardOfSessions]).toMatchObject([{ required: true }, { required: false }]);
});

test('an answer declares the header that leads to the next page, where there is one', () => {
  expect(declaredOf(backEndApi, 'listDevices').headers).toContain('Next-Cursor');
  expect(declaredOf(backEndApi, 'listUsers').headers).toContain('Next-Cursor');
  expect(declaredOf(backEndApi, 'listHomes').headers).not.toContain('Next-Cursor');
  expect(declaredOf(developerApi, 'readLogEntries').headers).toEqual(['Searched-To']);
});

test.each([
  ['listDevices', 'Required unless `homeId` is sent.'],
  ['listHomes', 'Required unless `userId` is sent.'],
  ['readDeviceClass', 'Required if the id exists in more than one of your projects.'],
])('%s says when it needs the project', (name, sentence) => {
  const project = declaredOf(developerApi, name).parameters.find(one => one.name === 'projectId');
  expect(project?.description).toContain(sentence);
});

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => (key === '$ref' ? [String(part)] : refsIn(part)));
}

function atPointer(document: unknown, ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
}
