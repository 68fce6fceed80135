import { describe, expect, it } from 'vitest';
import { pathOf } from '#contract/client.ts';
import { editUserAuthMethod, readUserAuthIcon } from '#contract/userAuthMethod.ts';
import { failing } from '#test/failing.ts';
import { signIns } from '#test/signIns.ts';
import { aWebServer } from '#test/webServer.ts';

const { at, method, create, paramsOf } = signIns();

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('an icon', () => {
  const pictures: Record<string, Buffer | string> = {
    '/a.png': png,
    '/svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    '/html': '<html>',
    '/empty': '',
    '/large': Buffer.concat([png, Buffer.alloc(100_000)]),
  };
  const serve = () =>
    aWebServer((request, response) => {
      const picture = pictures[request.url ?? ''];
      if (request.url === '/moved') response.writeHead(302, { location: '/a.png' }).end();
      else if (request.url === '/inside')
        response.writeHead(302, { location: 'http://10.0.0.7/a.png' }).end();
      else
        response.writeHead(picture === undefined ? 404 : 200, { 'content-type': 'image/png' }).end(picture);
    });

  it('is fetched once and served by the platform', async () => {
    await using server = await serve();
    const iconUrl = `http://127.0.0.1:${server.port}/moved`;
    const made = await create(method({ iconUrl }));
    expect(made.iconUrl).toBe(iconUrl);
    await server[Symbol.asyncDispose]();
    const response = await at.owner.fetch(`${at.world.url}/api${pathOf(readUserAuthIcon, paramsOf(made))}`);
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringContaining('attachment'),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  });

  it('is deleted when its URL is cleared', async () => {
    await using server = await serve();
    const made = await create(method({ iconUrl: `http://127.0.0.1:${server.port}/a.png` }));
    const params = paramsOf(made);
    expect(await at.owner.client.call(editUserAuthMethod, { params, body: { iconUrl: '' } })).toMatchObject({
      iconUrl: '',
    });
    const response = await at.owner.fetch(`${at.world.url}/api${pathOf(readUserAuthIcon, params)}`);
    expect(response.status).toBe(404);
  });

  it.each(['svg', 'html', 'empty', 'large', 'nothing'])('that is %s is refused', async what => {
    await using server = await serve();
    const failure = await failing(
      create(method({ iconUrl: `http://127.0.0.1:${server.port}/${what}` })),
      'ICON_UNFIT',
    );
    expect(failure.fields).toEqual({ iconUrl: 'ICON_UNFIT' });
  });

  it.each([
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'http://example.com/a.png',
    'https://10.0.0.7/a.png',
  ])('at %s is refused', async iconUrl => {
    const failure = await failing(create(method({ iconUrl })), 'ADDRESS_REFUSED');
    expect(failure.fields).toEqual({ iconUrl: 'ADDRESS_REFUSED' });
  });

  it('whose URL redirects to a private address is refused', async () => {
    await using server = await serve();
    await failing(create(method({ iconUrl: `http://127.0.0.1:${server.port}/inside` })), 'ADDRESS_REFUSED');
  });
});
