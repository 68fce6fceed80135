import { capabilities } from '#contract/endpoint.ts';
import { aKey } from '#test/keys.ts';
import type { Example } from './documents.ts';
import { ExampleRows } from './exampleRows.ts';
import { filledIn } from './filledIn.ts';
import type { PreparedServer } from './preparedServer.ts';
import { prepared } from './states.ts';

interface OfApi {
  api: string;
  /** The address of the API, with its variables in braces. */
  base: string;
}

/** What the server answers to the example of a call, in a project that has what the example names. */
export async function sendExample(
  at: PreparedServer,
  example: Example,
  { api, base }: OfApi,
): Promise<Response> {
  // Calls about an account change it.
  const isOfAccount = api === 'Developer API' && !example.security.includes('accessToken');
  const owner = isOfAccount ? await at.world.aDeveloper() : at.owner;
  const rows = await ExampleRows.of(at, { owner, ofApp: api === 'App API' });
  if (rows.ofApp) await rows.id('app');
  const given = await prepared(api, example, rows);
  const params = (await filledIn(example.params, rows, given)) as Record<string, string>;
  const query = (await filledIn(example.query, rows, given)) as Record<string, string>;
  const body = await filledIn(example.body?.value, rows, given);
  const isForm = example.body?.type === 'application/x-www-form-urlencoded';
  const prefix = base.replace('{app}', `${rows.app.id}@${rows.projectId}`);
  const path = example.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const send = await callerOf(at, example, { api, rows });
  return send(`${at.world.url}${prefix}${path}?${new URLSearchParams(query)}`, {
    method: example.method,
    headers: { ...example.headers, ...(example.body && { 'content-type': example.body.type }) },
    ...(example.body && {
      body: isForm ? new URLSearchParams(body as Record<string, string>) : JSON.stringify(body),
    }),
    redirect: 'manual',
  });
}

/** Somebody with the weakest credentials that the document asks for. */
async function callerOf(
  { world, token }: PreparedServer,
  { security }: Example,
  { api, rows }: { api: string; rows: ExampleRows },
): Promise<typeof fetch> {
  if (api === 'Service API') {
    const allowed = Object.fromEntries(capabilities.map(flag => [flag, true]));
    return (await aKey(world, rows.owner, { ...rows.params, ...allowed })).fetch;
  }
  if (api === 'App API') return security.length === 0 ? fetch : (await rows.user()).fetch;
  if (security.includes('accessToken')) return token.fetch;
  return rows.owner.fetch;
}
