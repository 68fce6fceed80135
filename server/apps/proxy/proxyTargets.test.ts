import { createServer, isIP, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minuteMs } from '#rules/time/durations.ts';
import { flushProxyCalls } from '#server/apps/proxyRoutes/countProxyCalls.ts';
import { publishRoutesChanged } from '#server/apps/proxyRoutes/routeNotices.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { aBackEnd, aRoute, type BackEnd } from '#test/backEnds.ts';
import { anEndUser, type EndUser } from '#test/endUsers.ts';
import { ProjectWorld } from '#test/projectWorld.ts';
import { aWorld } from '#test/world.ts';

/** Target addresses in internal networks: no attempt may reach one. */
const at = new ProjectWorld();
const names: Record<string, string[]> = {
  'public.example': ['93.184.216.34'],
  'inside.example': ['127.0.0.1'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'six.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'metadata.example': ['169.254.169.254'],
};
let inside: Server;
let port = 0;
let arrived = 0;
let backEnd: BackEnd;
let user: EndUser;

beforeAll(async () => {
  // Loopback is blocked, except for the address of these tests' back end.
  at.world = await aWorld(
    { ALLOW_PRIVATE_TARGETS: '127.0.0.2' },
    { resolve: async host => names[host] ?? (isIP(host) ? [host] : []) },
  );
  at.owner = await at.world.aDeveloper();
  at.projectId = (await at.world.aProject(at.owner)).id;
  user = await anEndUser(at.world, await anApp(at.owner, at.projectId));
  backEnd = await aBackEnd(undefined, '127.0.0.2');
  inside = createServer(socket => {
    arrived += 1;
    socket.destroy();
  });
  await new Promise<void>(resolve => inside.listen(0, '127.0.0.1', resolve));
  const address = inside.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(async () => {
  inside.close();
  await backEnd[Symbol.asyncDispose]();
  await at.world.end();
});

const hosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '0177.1',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '0.',
  '00.00.00.00',
  '127.255.255.254',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fe80::1%25lo]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  'localhost',
  'localhost.',
  'LOCALHOST',
  '１２７.0.0.1',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'loc\u00adalhost',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '[::ffff:169.254.169.254]',
  '168.63.129.16',
  '100.100.100.200',
  '100.64.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '%31%32%37.0.0.1',
  '127.0.0.1%00.public.example',
  'inside.example',
  'mixed.example',
  'six.example',
  'mapped.example',
  'nat64.example',
  'metadata.example',
  'none.example',
];

/** Strings that are not the address of a host, or hide one. */
const shapes = (at: string) => [
  `https://public.example@${at}/`,
  `https://public.example:x@${at}/`,
  `https://${at}#@public.example`,
  `https://public.example\\@${at}/`,
  `https://${at}\\@public.example/`,
  `https://${at}/?@public.example`,
  `//${at}`,
  `///${at}`,
  `https:${at}`,
  `https:/${at}`,
  `https:///${at}`,
  `https:\\\\${at}`,
  ` https://${at}`,
  `https://${at} `,
  `\thttps://${at}`,
  `ht\ntps://${at}`,
  `https://${at}\r\nhost: x`,
  `HTTPS://${at}`,
  `hTTp://${at}`,
  `file://${at}/etc/passwd`,
  `gopher://${at}/_x`,
  `ftp://${at}`,
  `unix:${at}`,
  `ws://${at}`,
  `http+unix://${at}`,
  'file:///etc/passwd',
  'data:text/plain,x',
  'javascript:1',
  'https://',
  'https://[::1',
  'https://public.example:0',
  'https://public.example:22',
  'https://public.example:25',
  'https://public.example:5432',
  'https://public.example:6379',
  'http://public.example',
  'https://public.example:65536',
  'https://public.example/#x',
  'https://./',
  'https://../',
];

describe('two hundred internal addresses', () => {
  const all = () => [
    ...hosts.flatMap(host => [`https://${host}:${port}/`, `http://${host}:${port}/x`, `https://${host}/`]),
    ...shapes(`127.0.0.1:${port}`),
  ];

  it('are refused when they are saved', async () => {
    expect(all().length).toBeGreaterThanOrEqual(200);
    const taken: string[] = [];
    for (const targetUrl of all())
      await aRoute(at, targetUrl).then(
        () => taken.push(targetUrl),
        (error: { reason?: string }) => expect(['ADDRESS_REFUSED', 'INVALID_FIELDS']).toContain(error.reason),
      );
    expect([taken, arrived]).toEqual([[], 0]);
  }, 120_000);

  it('are refused when they are called, even if they were saved nevertheless', async () => {
    const { db, newId } = at.world.platform;
    let { id } = await aRoute(at, backEnd.url, { sourcePath: '/trick' });
    const answered: string[] = [];
    for (const targetUrl of all()) {
      // A new id each time, because the breaker of a route opens after failures.
      const next = newId('prx');
      await flushProxyCalls(at.world.platform);
      await db.run(sql`delete from proxy_route_hours where route_id = ${id}`);
      await db.run(sql`delete from proxy_route_failures where route_id = ${id}`);
      await db.run(sql`update proxy_routes set target_url = ${targetUrl}, id = ${next} where id = ${id}`);
      id = next;
      publishRoutesChanged(at.world.platform, at.projectId);
      const { status } = await user.fetch(`${user.baseUrl}/projects/${at.projectId}/appProxy/trick/x`);
      if (status !== 502) answered.push(`${status} ${targetUrl}`);
    }
    expect([answered, arrived]).toEqual([[], 0]);
  }, 120_000);

  it('are not reached by a name that changes to one after it was checked', async () => {
    // The same port, so that only the address decides which server is called.
    const { port: backEndPort } = new URL(backEnd.url);
    const beside = createServer(socket => {
      arrived += 1;
      socket.destroy();
    });
    await new Promise<void>(resolve => beside.listen(Number(backEndPort), '127.0.0.1', resolve));
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    // The second lookup returns the other address, even between the check and the connection.
    Object.defineProperty(names, 'rebind.example', { get: () => answers.shift() ?? ['127.0.0.1'] });
    const call = async (sourcePath: string) => {
      const answer = await user.fetch(`${user.baseUrl}/projects/${at.projectId}/appProxy${sourcePath}`);
      return answer.status;
    };
    const rebinding = async (sourcePath: string) => {
      const draft = await aRoute(at, backEnd.url, { sourcePath });
      await at.world.platform.db.run(sql`
        update proxy_routes set target_url = ${`http://rebind.example:${backEndPort}`} where id = ${draft.id}`);
      publishRoutesChanged(at.world.platform, at.projectId);
    };
    await rebinding('/rebind');
    // For a minute, calls go to the address that was checked; after that, the new address is checked.
    expect([await call('/rebind'), await call('/rebind')]).toEqual([200, 200]);
    at.world.pass(minuteMs);
    expect(await call('/rebind')).toBe(502);
    expect(arrived).toBe(0);
    beside.close();
  });
});
