import { beforeAll, describe, expect, it } from 'vitest';
import { anApp } from '#test/apps.ts';
import { appUrl } from '#test/endUsers.ts';
import { signInAt } from '#test/oidcProvider.ts';
import { signIns } from '#test/signIns.ts';
import { answerHeaders } from './openApi/parameters.ts';

interface Document {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
}

const { at, aMethod, start } = signIns();
let base: string;
const documents = {} as Record<'app' | 'developer', Document>;
beforeAll(async () => {
  base = appUrl(at.world, await anApp(at.owner, at.project.id));
  const read = async (path: string) => (await (await fetch(at.world.url + path)).json()) as Document;
  documents.app = await read('/docs/app/openapi.json');
  documents.developer = await read('/api/openapi.json');
});

/** The statuses that a document gives a call. */
function statusesOf(api: 'app' | 'developer', name: string): string[] {
  const found = Object.values(documents[api].paths)
    .flatMap(path => Object.values(path))
    .find(({ operationId }) => operationId === name);
  return Object.keys(found?.responses ?? {});
}

it('pages of any origin can read every header that a document declares', async () => {
  const answer = await fetch(`${base}/config`, { headers: { origin: 'https://app.nordlys.example' } });
  const readable = answer.headers.get('access-control-expose-headers')?.split(',');
  const declared = Object.keys(answerHeaders).map(name => name.toLowerCase());
  expect(readable).toEqual(expect.arrayContaining(declared));
});

describe('the document has the status that is answered', () => {
  it.each([
    ['startVerification', '/verification/start'],
    ['startUserPasswordReset', '/passwordReset/start'],
  ])('by %s, whose work goes on after the answer', async (name, path) => {
    const answer = await fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"nobody@example.com"}',
    });
    expect([answer.status, await answer.text()]).toEqual([202, '']);
    const successes = statusesOf('app', name).filter(status => status < '400');
    expect(successes).toEqual(['202']);
  });

  it('by a redirect', async () => {
    const methodId = await aMethod(at.provider);
    const { signInUrl } = await start(methodId);
    const back = await signInAt(signInUrl, 'ada');
    expect((await at.owner.fetch(back, { redirect: 'manual' })).status).toBe(303);
    expect(statusesOf('developer', 'finishUserAuth')).toContain('303');
  });

  it('to a request that no call takes, whatever it asks for', async () => {
    const tooLong = `${base}/config?x=${'a'.repeat(9000)}`;
    const answers = [
      await fetch(`${base}/config`, { method: 'PUT' }),
      await fetch(tooLong),
      await fetch(`${base}/config`, { headers: { 'x-long': 'a'.repeat(20_000) } }),
    ];
    const statuses = answers.map(({ status }) => String(status));
    expect(statuses).toEqual(['405', '414', '431']);
    expect(statusesOf('app', 'readAppConfig')).toEqual(expect.arrayContaining(statuses));
  });
});
