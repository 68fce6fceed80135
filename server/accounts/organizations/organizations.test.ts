import { beforeAll, describe, expect, it } from 'vitest';
import { findOrganization, readOrganization } from '#contract/organization.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { rawCall } from '#test/rawCall.ts';
import { theWorld, unique } from '#test/world.ts';

const world = theWorld();
beforeAll(async () => {
  await world.platform.db.run(sql`
    insert into organizations (id, name, console_base_url, allowed_origins, open_to_sign_ups)
    values ('acme', 'Acme', 'https://console.acme.example', '{https://console.acme.example}', false)`);
});

const find = (devConsoleBaseUrl: string) =>
  world.visitor().client.call(findOrganization, { query: { devConsoleBaseUrl } });
const read = (org: string) => world.visitor().client.call(readOrganization, { params: { org } });

describe('an organization', () => {
  it('is found by the URL of its console, with or without a trailing slash', async () => {
    const acme = { id: 'acme', name: 'Acme', openToSignUps: false };
    expect(await find('https://console.acme.example')).toEqual([acme]);
    expect(await find('https://console.acme.example/')).toEqual([acme]);
  });

  it('is the default one for an unregistered URL', async () => {
    expect(await find('https://elsewhere.example')).toMatchObject([{ id: 'default', openToSignUps: true }]);
  });

  it('is found by its path', async () => {
    expect(await read('acme')).toHaveProperty('name', 'Acme');
    await failing(read('nowhere'), 'ORG_NOT_FOUND');
    await failing(read('ACME'), 'ORG_NOT_FOUND');
    await failing(read("' or 1=1"), 'ORG_NOT_FOUND');
  });

  it('gets e-mails with links to its own console', async () => {
    const email = `${unique('new')}@example.com`;
    await world.platform.db.run(sql`update organizations set open_to_sign_ups = true where id = 'acme'`);
    const body = { email, name: 'Grace', orgId: 'acme', password: 'four words of nonsense' };
    await rawCall(world.visitor().fetch, ['POST', `${world.url}/api/developers`], body);
    expect((await world.mailsTo(email))[0]?.text).toContain('https://console.acme.example/verify?token=');
  });
});

describe('a call from another origin', () => {
  const call = (origin: string, method = 'GET') =>
    rawCall(world.visitor().fetch, [method, `${world.url}/api/organizations/acme`], undefined, { origin });

  it('gets the CORS headers if an organization has registered the origin', async () => {
    const { status, headers } = await call('https://console.acme.example');
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe('https://console.acme.example');
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('vary')).toBe('origin');
    const readable = headers.get('access-control-expose-headers')?.split(',');
    expect(readable).toEqual(expect.arrayContaining(['content-range', 'next-cursor', 'retry-after']));
    const asked = await call('https://console.acme.example', 'OPTIONS');
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-headers')).toContain('x-console-guard');
  });

  it.each([
    'https://evil.example',
    'null',
    'http://console.acme.example',
    'https://console.acme.example.evil.example',
  ])('is otherwise refused, including its preflight request: %s', async origin => {
    for (const method of ['GET', 'OPTIONS']) {
      const { status, problem, headers } = await call(origin, method);
      expect([status, problem.reason]).toEqual([403, 'ORIGIN_REFUSED']);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('does not include calls from the server’s own origin', async () => {
    const { status, headers } = await call(world.url);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });
});
