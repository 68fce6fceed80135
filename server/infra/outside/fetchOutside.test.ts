import http, { type IncomingMessage } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { aCertificate } from '#test/certificate.ts';
import { anOutside, certificate, fault, local, refusal, small, text } from '#test/outside.ts';
import { aWebServer } from '#test/webServer.ts';
import { privateTargets } from './addresses.ts';
import { createOutside } from './fetchOutside.ts';

describe('an outgoing call', () => {
  it('uses the address that was checked, however often the DNS name changes', async () => {
    await using server = await aWebServer(text('inside'));
    const answers = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.1']];
    const asked: string[] = [];
    const { fetchOutside } = createOutside({
      // Stands for the public address: any other address must not be reached.
      allowed: privateTargets(['127.0.0.2']),
      own: () => [],
      resolve: async host => {
        asked.push(host);
        return answers.shift() ?? [];
      },
    });
    const address = `http://rebind.example:${server.port}`;
    expect(await fault(fetchOutside(address, small))).toBe('The server refused the connection.');
    expect(asked).toEqual(['rebind.example']);
    await refusal(fetchOutside(address, small));
    expect(server.asked).toEqual([]);
  });

  it('is encrypted, and requires a certificate for the host name', async () => {
    await using server = await aWebServer(text('hello'), certificate);
    const { fetchOutside } = anOutside({ names: local });
    const { body } = await fetchOutside(`https://issuer.example:${server.port}`, small);
    expect(body.toString()).toBe('hello');
    expect(await fault(fetchOutside(`https://third.example:${server.port}`, small))).toBe(
      'The certificate is for another name.',
    );
    expect(await fault(fetchOutside(`https://127.0.0.1:${server.port}`, small))).toBe(
      'The certificate is for another name.',
    );
    expect(server.asked).toEqual([`GET issuer.example:${server.port}/`]);
  });

  it('refuses certificates that have expired or that no trusted authority signed', async () => {
    const old = aCertificate(['issuer.example'], { validDays: -1 });
    await using expired = await aWebServer(text('hello'), old);
    const trusting = createOutside({
      allowed: privateTargets(['127.0.0.1']),
      own: () => [],
      resolve: async () => ['127.0.0.1'],
      ca: old.cert,
    });
    expect(await fault(trusting.fetchOutside(`https://issuer.example:${expired.port}`, small))).toBe(
      'The certificate has expired.',
    );
    await using unknown = await aWebServer(text('hello'), aCertificate(['issuer.example']));
    const { fetchOutside } = anOutside({ names: local });
    expect(await fault(fetchOutside(`https://issuer.example:${unknown.port}`, small))).toBe(
      'The certificate is not signed by an authority this installation trusts.',
    );
  });

  it('ignores proxies from the environment', async () => {
    await using proxy = await aWebServer(text('the proxy'));
    await using server = await aWebServer(text('the server'));
    const restore = http.setGlobalProxyFromEnv({ http_proxy: `http://127.0.0.1:${proxy.port}` });
    try {
      // Other requests do use the proxy.
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

  it('tries all checked addresses until one answers', async () => {
    await using server = await aWebServer(text('hello'));
    const { fetchOutside } = anOutside({
      allowed: ['127.0.0.0/8'],
      names: { 'two.example': ['127.0.0.99', '127.0.0.1'] },
    });
    const { body } = await fetchOutside(`http://two.example:${server.port}`, small);
    expect(body.toString()).toBe('hello');
  });

  it('reports in words why it failed', async () => {
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
    expect(await at(closing)).toBe('The server closed the connection.');
    expect(await at(upgrading)).toBe('The server does not answer in HTTP.');
    expect(await at(babbling)).toBe('The server does not answer in HTTP.');
    expect(await at(shouting)).toBe('The response headers are too large.');
    const port = closing.port;
    await closing[Symbol.asyncDispose]();
    expect(await at({ port })).toBe('The server refused the connection.');
    expect(await fault(fetchOutside(`https://issuer.example:${babbling.port}`, small))).toBe(
      'The TLS handshake failed.',
    );
  });
});

describe('a redirect', () => {
  it('is followed three times, and each target is checked', async () => {
    await using server = await aWebServer((request, response) => {
      const left = Number(new URL(request.url ?? '', 'http://x').searchParams.get('left'));
      if (left === 0) response.end('here');
      else response.writeHead(302, { location: `/?left=${left - 1}` }).end();
    }, certificate);
    const { fetchOutside } = anOutside({ names: local });
    const from = (left: number) => `https://issuer.example:${server.port}/?left=${left}`;
    const { body, url } = await fetchOutside(from(3), { ...small, redirectsMax: 3 });
    expect([body.toString(), url]).toEqual(['here', from(0)]);
    expect(await fault(fetchOutside(from(4), { ...small, redirectsMax: 3 }))).toBe(
      'There are too many redirects.',
    );
  });

  it('is followed only if requested, and never for a POST', async () => {
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
    // Loopback is allowed only for this name.
    const { fetchOutside } = anOutside({
      allowed: ['issuer.example'],
      names: { ...local, 'inside.example': ['127.0.0.1'] },
    });
    const call = fetchOutside(`https://issuer.example:${server.port}`, { ...small, redirectsMax: 3 });
    await refusal(call);
    expect(server.asked).toHaveLength(1);
  });

  it('to another host drops the credentials', async () => {
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
  ])('compressed with %s is decompressed', async (encoding, body) => {
    await using server = await aWebServer(
      (_request, response) => void response.setHeader('content-encoding', encoding).end(body),
    );
    const answer = await anOutside().fetchOutside(`http://127.0.0.1:${server.port}`, small);
    expect(answer.body.equals(unpacked)).toBe(true);
  });

  it('that expands beyond the limit is cut off while it is decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    await using server = await aWebServer(
      (_request, response) => void response.setHeader('content-encoding', 'gzip').end(bomb),
    );
    const call = anOutside().fetchOutside(`http://127.0.0.1:${server.port}`, { bytesMax: 100_000 });
    expect(await fault(call)).toBe('The response is larger than 100 kB.');
  });

  it('with a wrong or unrequested encoding is an error', async () => {
    await using server = await aWebServer((request, response) => {
      response.setHeader('content-encoding', request.url?.slice(1) ?? '').end('not packed at all');
    });
    const { fetchOutside } = anOutside();
    const at = (encoding: string) =>
      fault(fetchOutside(`http://127.0.0.1:${server.port}/${encoding}`, small));
    expect(await at('gzip')).toBe('The response cannot be decompressed.');
    expect(await at('br')).toBe('The response cannot be decompressed.');
    expect(await at('zstd')).toBe('The response uses an encoding that was not requested.');
    expect(await at('gzip,gzip')).toBe('The response uses an encoding that was not requested.');
  });

  it('without an end is cut off at the limit', async () => {
    await using server = await aWebServer((_request, response) => {
      const chunk = Buffer.alloc(16_384);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    });
    const call = anOutside().fetchOutside(`http://127.0.0.1:${server.port}`, { bytesMax: 1_000_000 });
    expect(await fault(call)).toBe('The response is larger than 1 MB.');
  });

  it.each([
    ['headers', ''],
    ['headers that never end', 'HTTP/1.1 200 OK\r\nx: '],
    ['a body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n'],
  ])(
    'that arrives byte by byte times out: %s',
    async (_what, start) => {
      await using server = await aWebServer(request => {
        request.socket.write(start);
        const drip = setInterval(() => request.socket.write('a'), 20);
        request.socket.once('close', () => clearInterval(drip)).on('error', () => clearInterval(drip));
      });
      const call = anOutside().fetchOutside(`http://127.0.0.1:${server.port}`, { ...small, timeoutMs: 200 });
      expect(await fault(call)).toMatch(
        /^The server did not answer within 0.2 s\.|^The server does not answer in HTTP/,
      );
    },
    10_000,
  );

  it('that breaks off is an error', async () => {
    await using server = await aWebServer(request => {
      request.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
    });
    const call = anOutside().fetchOutside(`http://127.0.0.1:${server.port}`, small);
    expect(await fault(call)).toBe('The server closed the connection.');
  });
});
