import http, { type IncomingMessage, type RequestListener } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { privateTargets } from '#server/outside/addresses.ts';
import { OutsideFault } from '#server/outside/faults.ts';
import { createOutside, type OutsideRequest } from '#server/outside/fetchOutside.ts';
import { aCertificate } from '#test/certificate.ts';
import { aWebServer } from '#test/webServer.ts';

const certificate = aCertificate(['issuer.example', 'other.example']);

/** A way out for which every name stands for what the test says; what is allowed is loopback unless said. */
function anOutside({
  names = {},
  allowed = ['127.0.0.1'],
  own = [],
}: {
  names?: Record<string, string[]>;
  allowed?: string[];
  own?: string[];
} = {}) {
  return createOutside({
    allowed: privateTargets(allowed),
    own: () => own,
    resolve: async host => names[host] ?? (/^[\d.]+$|:/.test(host) ? [host] : []),
    ca: certificate.cert,
  });
}

const small: OutsideRequest = { bytesMax: 10_000 };
const local = {
  'issuer.example': ['127.0.0.1'],
  'other.example': ['127.0.0.1'],
  'third.example': ['127.0.0.1'],
};

async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => expect.fail('expected a refusal, but it was called'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Problem)) throw error;
  expect(error.reason).toBe('ADDRESS_REFUSED');
  return (error.context as { address: string }).address;
}

async function fault(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => expect.fail('expected a fault, but it answered'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutsideFault)) throw error;
  return error.message;
}

const text =
  (body: string): RequestListener =>
  (_request, response) =>
    response.end(body);

describe('an address that a developer chose', () => {
  const private4 = [
    '127.0.0.1',
    '127.1',
    '127.255.255.254',
    '0',
    '0.0.0.0',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.1',
    '017700000001',
    '127.0.0.1.',
    '127。0。0。1',
    '１２７．０．０．１',
    '%31%32%37.0.0.1',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ];
  const private6 = [
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[::127.0.0.1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::808:808]',
    '[64:ff9b:1::1]',
    '[2001::1]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[2001:db8::1]',
    '[2002:7f00:1::]',
    '[2002:808:808::1]',
    '[3fff::1]',
    '[100::1]',
    '[5f00::1]',
  ];
  it.each([...private4, ...private6])('is refused when it is %s, to keep and to call', async host => {
    const { fetchOutside, checkOutside } = anOutside({ allowed: [] });
    const why = 'It must lead to a public address, and to public ones only.';
    expect(await refusal(checkOutside(`https://${host}/x`))).toBe(why);
    expect(await refusal(fetchOutside(`https://${host}/x`, small))).toBe(why);
  });

  const malformed = [
    ['http://example.com', 'It must start with https://.'],
    ['file:///etc/passwd', 'It must start with https://.'],
    ['gopher://127.0.0.1', 'It must start with https://.'],
    ['ftp://example.com', 'It must start with https://.'],
    ['data:text/html,x', 'It must start with https://.'],
    ['unix:/run/x.sock', 'It must start with https://.'],
    ['javascript:alert(1)', 'It must start with https://.'],
    ['https:example.com', 'It must start with https://.'],
    ['https:///example.com', 'It must start with https://.'],
    ['//example.com', 'It must start with https://.'],
    ['', 'It must start with https://.'],
    ['https://a@127.0.0.1', 'It must not hold a user name or a password.'],
    ['https://@example.com', 'It must not hold a user name or a password.'],
    ['https://user:secret@example.com', 'It must not hold a user name or a password.'],
    ['https://example.com\\@127.0.0.1', 'It must not hold spaces, control characters or backslashes.'],
    ['https://exam\tple.com', 'It must not hold spaces, control characters or backslashes.'],
    ['https://example.com/\r\nHost: x', 'It must not hold spaces, control characters or backslashes.'],
    [' https://example.com', 'It must not hold spaces, control characters or backslashes.'],
    ['https://example.com#@127.0.0.1', 'It must not hold a #.'],
    ['https://example.com%00', 'It is not an address such as https://login.example.com.'],
    ['https://[fe80::1%25eth0]', 'It is not an address such as https://login.example.com.'],
    ['https://4294967296', 'It is not an address such as https://login.example.com.'],
    [`https://example.com/${'a'.repeat(2000)}`, 'It is longer than 2000 characters.'],
  ] as const;
  it.each(malformed)('is refused when it is %s', async (address, why) => {
    const { fetchOutside, checkOutside } = anOutside({ names: { 'example.com': ['93.184.216.34'] } });
    expect(await refusal(checkOutside(address))).toBe(why);
    expect(await refusal(fetchOutside(address, small))).toBe(why);
  });

  it.each([0, 22, 25, 80, 139, 445, 853, 2375, 2379, 4222, 5432, 6379, 8500, 9200, 10250, 11211, 27017])(
    'is refused at port %i',
    async port => {
      const { checkOutside } = anOutside({ names: { 'example.com': ['93.184.216.34'] } });
      expect(await refusal(checkOutside(`https://example.com:${port}`))).toBe(
        'This port is not for web services.',
      );
    },
  );

  it.each([
    'https://example.com',
    'HTTPS://EXAMPLE.COM:443/a?b=c@d',
    'https://example.com:8443',
    'https://9.9.9.9',
  ])('is taken when it is %s', async address => {
    await anOutside({ names: { 'example.com': ['93.184.216.34', '2606:2800::1'] } }).checkOutside(address);
  });

  it('is refused in the same words whether its name leads inside, nowhere, or also inside', async () => {
    const { checkOutside } = anOutside({
      allowed: [],
      names: {
        'inside.example': ['10.0.0.7'],
        'both.example': ['93.184.216.34', '10.0.0.7'],
        'six.example': ['::1'],
      },
    });
    const answers = await Promise.all(
      ['inside', 'nowhere', 'both', 'six'].map(name => refusal(checkOutside(`https://${name}.example`))),
    );
    expect(new Set(answers)).toEqual(new Set(['It must lead to a public address, and to public ones only.']));
  });

  it('is refused in the same words whether something listens there or not', async () => {
    await using server = await aWebServer(text('secret'));
    const { fetchOutside } = anOutside({ allowed: [] });
    const listening = await refusal(fetchOutside(`https://127.0.0.1:${server.port}`, small));
    expect(await refusal(fetchOutside('https://127.0.0.1:1025', small))).toBe(listening);
    expect(server.asked).toEqual([]);
  });
});

describe('what the operator allows', () => {
  it('is reached by its name, its address or its network, also without encryption', async () => {
    await using server = await aWebServer(text('hello'));
    for (const allowed of ['intra.example', '127.0.0.1', '127.0.0.0/8']) {
      const { fetchOutside } = anOutside({ allowed: [allowed], names: { 'intra.example': ['127.0.0.1'] } });
      const { body } = await fetchOutside(`http://intra.example:${server.port}/a`, small);
      expect(body.toString()).toBe('hello');
    }
  });

  it('is not reached by another name or in another network', async () => {
    const names = { 'intra.example': ['127.0.0.1'] };
    const mapped = anOutside({ allowed: ['127.0.0.1'] }).fetchOutside('https://[::ffff:127.0.0.1]', small);
    await refusal(mapped);
    for (const allowed of ['example', 'x.intra.example', '127.0.0.2', '10.0.0.0/8', '::1']) {
      await refusal(anOutside({ allowed: [allowed], names }).fetchOutside('https://intra.example', small));
    }
  });

  it('is never this platform itself, by whatever name', async () => {
    await using server = await aWebServer(text('the outbox'));
    const names = {
      'console.example': ['127.0.0.1'],
      'alias.example': ['127.0.0.2'],
      'split.example': ['10.0.0.7'],
    };
    const { fetchOutside } = anOutside({
      names,
      allowed: ['127.0.0.0/8', '10.0.0.0/8'],
      own: ['https://console.example', 'https://split.example', `http://localhost:${server.port}`],
    });
    const own = [
      `http://127.0.0.1:${server.port}/outbox`,
      `http://console.example:${server.port}/outbox`,
      `http://alias.example:${server.port}/outbox`,
      'https://console.example/api',
      'https://split.example/api',
    ];
    for (const address of own) {
      expect(await refusal(fetchOutside(address, small))).toBe('It leads back to this platform.');
    }
    expect(server.asked).toEqual([]);
  });
});

describe('a call to the outside', () => {
  it('dials the address that was checked, however often the name changes', async () => {
    await using server = await aWebServer(text('inside'));
    const answers = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.1']];
    const asked: string[] = [];
    const { fetchOutside } = createOutside({
      // Stands for the public address: what is not in it must not be reached.
      allowed: privateTargets(['127.0.0.2']),
      own: () => [],
      resolve: async host => {
        asked.push(host);
        return answers.shift() ?? [];
      },
    });
    const address = `http://rebind.example:${server.port}`;
    expect(await fault(fetchOutside(address, small))).toBe('It refuses the connection.');
    expect(asked).toEqual(['rebind.example']);
    await refusal(fetchOutside(address, small));
    expect(server.asked).toEqual([]);
  });

  it('is encrypted, and only with whoever has a certificate for the name', async () => {
    await using server = await aWebServer(text('hello'), certificate);
    const { fetchOutside } = anOutside({ names: local });
    const { body } = await fetchOutside(`https://issuer.example:${server.port}`, small);
    expect(body.toString()).toBe('hello');
    expect(await fault(fetchOutside(`https://third.example:${server.port}`, small))).toBe(
      'Its certificate is for another name.',
    );
    expect(await fault(fetchOutside(`https://127.0.0.1:${server.port}`, small))).toBe(
      'Its certificate is for another name.',
    );
    expect(server.asked).toEqual([`GET issuer.example:${server.port}/`]);
  });

  it('trusts no certificate that is out of date or signed by nobody known', async () => {
    const old = aCertificate(['issuer.example'], { validDays: -1 });
    await using expired = await aWebServer(text('hello'), old);
    const trusting = createOutside({
      allowed: privateTargets(['127.0.0.1']),
      own: () => [],
      resolve: async () => ['127.0.0.1'],
      ca: old.cert,
    });
    expect(await fault(trusting.fetchOutside(`https://issuer.example:${expired.port}`, small))).toBe(
      'Its certificate has expired.',
    );
    await using unknown = await aWebServer(text('hello'), aCertificate(['issuer.example']));
    const { fetchOutside } = anOutside({ names: local });
    expect(await fault(fetchOutside(`https://issuer.example:${unknown.port}`, small))).toBe(
      'Its certificate is signed by nobody this server trusts.',
    );
  });

  it('asks no proxy of the environment', async () => {
    await using proxy = await aWebServer(text('the proxy'));
    await using server = await aWebServer(text('the server'));
    const restore = http.setGlobalProxyFromEnv({ http_proxy: `http://127.0.0.1:${proxy.port}` });
    try {
      // Such a proxy is really asked by everybody else.
      const others = await new Promise<IncomingMessage>(resolve =>
        http.get(`http://127.0.0.1:${server.port}`, resolve),
      );
      others.resume();
      expect([server.asked.length, proxy.asked.length]).toEqual([0, 1]);
      const { body } = await anOutside().fetchOutside(`http://127.0.0.1:${server.port}`, small);
      expect([body.toString(), proxy.asked.length]).toEqual(['the server', 1]);
    } finally {
      restore();
    }
  });

  it('tries every checked address until one answers', async () => {
    await using server = await aWebServer(text('hello'));
    const { fetchOutside } = anOutside({
      allowed: ['127.0.0.0/8'],
      names: { 'two.example': ['127.0.0.99', '127.0.0.1'] },
    });
    const { body } = await fetchOutside(`http://two.example:${server.port}`, small);
    expect(body.toString()).toBe('hello');
  });

  it('says in words why nothing came of it', async () => {
    await using closing = await aWebServer((request, _response) => request.socket.destroy());
    await using upgrading = await aWebServer((request, _response) => {
      request.socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    });
    await using babbling = await aWebServer((request, _response) => {
      request.socket.end('220 mail.example ESMTP\r\n');
    });
    await using shouting = await aWebServer((_request, response) => {
      response.setHeader('x-long', 'a'.repeat(40_000)).end();
    });
    const { fetchOutside } = anOutside({ names: local });
    const at = ({ port }: { port: number }) => fault(fetchOutside(`http://127.0.0.1:${port}`, small));
    expect(await at(closing)).toBe('It broke the connection off.');
    expect(await at(upgrading)).toBe('It does not answer in HTTP.');
    expect(await at(babbling)).toBe('It does not answer in HTTP.');
    expect(await at(shouting)).toBe('The headers of its answer are too large.');
    const port = closing.port;
    await closing[Symbol.asyncDispose]();
    expect(await at({ port })).toBe('It refuses the connection.');
    expect(await fault(fetchOutside(`https://issuer.example:${babbling.port}`, small))).toBe(
      'It does not speak TLS as it should.',
    );
  });
});

describe('a redirect', () => {
  it('is followed three times, each time to an address that is checked anew', async () => {
    await using server = await aWebServer((request, response) => {
      const left = Number(new URL(request.url ?? '', 'http://x').searchParams.get('left'));
      if (left === 0) response.end('here');
      else response.writeHead(302, { location: `/?left=${left - 1}` }).end();
    }, certificate);
    const { fetchOutside } = anOutside({ names: local });
    const from = (left: number) => `https://issuer.example:${server.port}/?left=${left}`;
    const { body, url } = await fetchOutside(from(3), { ...small, redirectsMax: 3 });
    expect([body.toString(), url]).toEqual(['here', from(0)]);
    expect(await fault(fetchOutside(from(4), { ...small, redirectsMax: 3 }))).toBe('It redirects too often.');
  });

  it('is not followed unless asked for, and never by a POST', async () => {
    await using server = await aWebServer((_request, response) => {
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const { fetchOutside } = anOutside();
    const address = `http://127.0.0.1:${server.port}/`;
    expect((await fetchOutside(address, small)).status).toBe(307);
    const post = { ...small, method: 'POST', body: 'secret', redirectsMax: 3 } as const;
    expect((await fetchOutside(address, post)).status).toBe(307);
    expect(server.asked).toHaveLength(2);
  });

  const inside = [
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://0x7f.1/',
    'http://issuer.example/',
    'file:///etc/passwd',
    'https://user:x@issuer.example/',
    'https://issuer.example:5432/',
    'https://inside.example/',
    '//2130706433/',
  ];
  it.each(inside)('to %s is refused', async location => {
    await using server = await aWebServer(
      (_request, response) => void response.writeHead(302, { location }).end(),
      certificate,
    );
    // Loopback is open to this one name alone.
    const { fetchOutside } = anOutside({
      allowed: ['issuer.example'],
      names: { ...local, 'inside.example': ['127.0.0.1'] },
    });
    const call = fetchOutside(`https://issuer.example:${server.port}`, { ...small, redirectsMax: 3 });
    await refusal(call);
    expect(server.asked).toHaveLength(1);
  });

  it('to another host takes no credentials along', async () => {
    const seen: (string | undefined)[] = [];
    await using server = await aWebServer((request, response) => {
      seen.push(request.headers.authorization);
      if (request.url === '/end') response.end();
      else response.writeHead(302, { location: `https://other.example:${server.port}/end` }).end();
    }, certificate);
    const headers = { authorization: 'Bearer x' };
    const { fetchOutside } = anOutside({ names: local });
    await fetchOutside(`https://issuer.example:${server.port}`, { ...small, headers, redirectsMax: 3 });
    expect(seen).toEqual(['Bearer x', undefined]);
  });
});

describe('an answer', () => {
  const unpacked = Buffer.from('hello '.repeat(1000));
  it.each([
    ['gzip', gzipSync(unpacked)],
    ['br', brotliCompressSync(unpacked)],
    ['identity', unpacked],
  ])('packed with %s is unpacked', async (encoding, body) => {
    await using server = await aWebServer(
      (_request, response) => void response.setHeader('content-encoding', encoding).end(body),
    );
    const answer = await anOutside().fetchOutside(`http://127.0.0.1:${server.port}`, small);
    expect(answer.body.equals(unpacked)).toBe(true);
  });

  it('that unfolds to more than was asked for is cut off while it unfolds', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    await using server = await aWebServer(
      (_request, response) => void response.setHeader('content-encoding', 'gzip').end(bomb),
    );
    const call = anOutside().fetchOutside(`http://127.0.0.1:${server.port}`, { bytesMax: 100_000 });
    expect(await fault(call)).toBe('Its answer is larger than 100 kB.');
  });

  it('that is not what it says to be packed with is a fault', async () => {
    await using server = await aWebServer((request, response) => {
      response.setHeader('content-encoding', request.url?.slice(1) ?? '').end('not packed at all');
    });
    const { fetchOutside } = anOutside();
    const at = (encoding: string) =>
      fault(fetchOutside(`http://127.0.0.1:${server.port}/${encoding}`, small));
    expect(await at('gzip')).toBe('Its answer cannot be unpacked.');
    expect(await at('br')).toBe('Its answer cannot be unpacked.');
    expect(await at('zstd')).toBe('Its answer is packed in a way that was not asked for.');
    expect(await at('gzip,gzip')).toBe('Its answer is packed in a way that was not asked for.');
  });

  it('without end is cut off at the bound', async () => {
    await using server = await aWebServer((_request, response) => {
      const chunk = Buffer.alloc(16_384);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    });
    const call = anOutside().fetchOutside(`http://127.0.0.1:${server.port}`, { bytesMax: 1_000_000 });
    expect(await fault(call)).toBe('Its answer is larger than 1 MB.');
  });

  it.each([
    ['headers', ''],
    ['headers that never end', 'HTTP/1.1 200 OK\r\nx: '],
    ['a body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n'],
  ])('that comes a byte at a time is given up on: %s', async (_what, start) => {
    await using server = await aWebServer(request => {
      request.socket.write(start);
      const drip = setInterval(() => request.socket.write('a'), 20);
      request.socket.once('close', () => clearInterval(drip)).on('error', () => clearInterval(drip));
    });
    const startedAt = performance.now();
    const call = anOutside().fetchOutside(`http://127.0.0.1:${server.port}`, { ...small, timeoutMs: 200 });
    expect(await fault(call)).toMatch(/^It did not answer within 0.2 s\.|^It does not answer in HTTP/);
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  it('that breaks off is no answer', async () => {
    await using server = await aWebServer(request => {
      request.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
    });
    const call = anOutside().fetchOutside(`http://127.0.0.1:${server.port}`, small);
    expect(await fault(call)).toBe('It broke the connection off.');
  });
});
