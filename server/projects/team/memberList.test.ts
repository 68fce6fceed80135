import { beforeAll, expect, it } from 'vitest';
import { pathOf } from '#contract/client.ts';
import { listEmailTemplates } from '#contract/emailTemplate.ts';
import { addMember, listMembers } from '#contract/team.ts';
import { listUserAuthMethods } from '#contract/userAuthMethod.ts';
import { sql } from '#server/infra/db/sql.ts';
import { rawCall } from '#test/rawCall.ts';
import { type SignedIn, theWorld } from '#test/world.ts';

const world = theWorld();
let ada: SignedIn;
let params: { projectId: string };
beforeAll(async () => {
  ada = await world.aDeveloper({ name: 'Ada' });
  params = { projectId: (await world.aProject(ada)).id };
  for (const name of ['Bela', 'Carla']) {
    const { email } = await world.aDeveloper({ name });
    await ada.client.call(addMember, { params, body: { email } });
  }
  await world.platform.db.run(sql`
    insert into user_auth_methods (project_id, id, label, protocol, issuer, client_id, client_secret, created_at)
    select ${params.projectId}, 'uam_' || n, 'Method ' || n, 'oidc', 'https://a.example', 'client', '', now()
    from generate_series(1, 3) n`);
});

const lists = [
  { list: listMembers, total: 3, search: 'BELA', found: { name: 'Bela' } },
  { list: listUserAuthMethods, total: 3, search: 'method 2', found: { label: 'Method 2' } },
  { list: listEmailTemplates, total: 6, search: 'RESET', found: { id: 'user-password-reset' } },
];

it.each(lists)('$list.name returns all rows, or a page, with the total', async ({ list, total }) => {
  const ask = async (query: string) => {
    const { status, headers, text } = await rawCall(ada.fetch, [
      'GET',
      `${world.url}/api${pathOf(list, params)}${query}`,
    ]);
    return [status, headers.get('content-range'), JSON.parse(text).length];
  };
  expect(await ask('')).toEqual([200, `items 0-${total - 1}/${total}`, total]);
  expect(await ask('?limit=1&skip=1')).toEqual([200, `items 1-1/${total}`, 1]);
});

it.each(lists)('$list.name can be searched', async ({ list, search, found }) => {
  const rows: unknown[] = await ada.client.call(list, { params, query: { search } });
  expect(rows).toEqual([expect.objectContaining(found)]);
});
