import { describe, expect, it } from 'vitest';
import { endUserApi } from '#server/doors/reference/apis/ofApps.ts';
import { backEndApi } from '#server/doors/reference/apis/ofBackEnds.ts';
import { developerApi } from '#server/doors/reference/apis/ofDevelopers.ts';
import { openApi } from '#server/doors/reference/openApi/document.ts';
import { type Document, examplesIn } from './documents.ts';
import { aPreparedServer } from './preparedServer.ts';
import { sendExample } from './sendExample.ts';
import { preparedCalls } from './states.ts';

/** Every example of the three documents, sent to a server that has what they name. New calls are found in them. */
const at = aPreparedServer();

const documents = [developerApi, endUserApi, backEndApi].map(api => {
  // As it is sent.
  const document = JSON.parse(JSON.stringify(openApi(api, { version: '1' }))) as Document;
  return [api.title, { api: api.title, base: document.servers[0]?.url ?? '' }, examplesIn(document)] as const;
});

it('what is prepared belongs to calls that exist', () => {
  const names = documents.flatMap(([, , examples]) => examples.map(({ name }) => name));
  expect(names).toEqual(expect.arrayContaining(preparedCalls));
});

describe.each(documents)('%s', (_title, ofApi, examples) => {
  it.each(examples.map(example => [example.name, example] as const))(
    'the server takes the example of %s, and answers with a status of the document',
    async (_, example) => {
      const response = await sendExample(at, example, ofApi);
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      const answer = isStream ? await response.body?.cancel() : await response.text();
      expect(response.status, answer || undefined).toBeLessThan(400);
      expect(example.statuses).toContain(`${response.status}`);
    },
  );
});
