import { describe, expect, it } from 'vitest';
import { anOutside, refusal, small, text } from '#test/outside.ts';
import { aWebServer } from '#test/webServer.ts';

describe('a URL chosen by a developer', () => {
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
  it.each([...private4, ...private6])(
    'is refused for the host %s, both for storing and for calling it',
    async host => {
      const { fetchOutside, checkOutside } = anOutside({ allowed: [] });
      const why = 'Its host must exist and resolve to public addresses only.';
      expect(await refusal(checkOutside(`https://${host}/x`))).toBe(why);
      expect(await refusal(fetchOutside(`https://${host}/x`, small))).toBe(why);
    },
  );

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
    ['https://a@127.0.0.1', 'It must not contain a user name or password.'],
    ['https://@example.com', 'It must not contain a user name or password.'],
    ['https://user:secret@example.com', 'It must not contain a user name or password.'],
    ['https://example.com\\@127.0.0.1', 'It must not contain spaces, control characters or backslashes.'],
    ['https://exam\tple.com', 'It must not contain spaces, control characters or backslashes.'],
    ['https://example.com/\r\nHost: x', 'It must not contain spaces, control characters or backslashes.'],
    [' https://example.com', 'It must not contain spaces, control characters or backslashes.'],
    ['https://example.com#@127.0.0.1', 'It must not contain a #.'],
    ['https://example.com%00', 'It is not an address such as https://login.example.com.'],
    ['https://[fe80::1%25eth0]', 'It is not an address such as https://login.example.com.'],
    ['https://4294967296', 'It is not an address such as https://login.example.com.'],
    [`https://example.com/${'a'.repeat(2000)}`, 'It is longer than 2000 characters.'],
  ] as const;
  it.each(malformed)('is refused if it is %s', async (address, why) => {
    const { fetchOutside, checkOutside } = anOutside({ names: { 'example.com': ['93.184.216.34'] } });
    expect(await refusal(checkOutside(address))).toBe(why);
    expect(await refusal(fetchOutside(address, small))).toBe(why);
  });

  it.each([0, 22, 25, 80, 139, 445, 853, 2375, 2379, 4222, 5432, 6379, 8500, 9200, 10250, 11211, 27017])(
    'is refused with port %i',
    async port => {
      const { checkOutside } = anOutside({ names: { 'example.com': ['93.184.216.34'] } });
      expect(await refusal(checkOutside(`https://example.com:${port}`))).toBe('This port is not allowed.');
    },
  );

  it.each([
    'https://example.com',
    'HTTPS://EXAMPLE.COM:443/a?b=c@d',
    'https://example.com:8443',
    'https://9.9.9.9',
  ])('is accepted if it is %s', async address => {
    await anOutside({ names: { 'example.com': ['93.184.216.34', '2606:2800::1'] } }).checkOutside(address);
  });

  it('is refused with the same message if its name resolves to private, no, or mixed addresses', async () => {
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
    expect(new Set(answers)).toEqual(new Set(['Its host must exist and resolve to public addresses only.']));
  });

  it('is refused with the same message whether or not a server listens there', async () => {
    await using server = await aWebServer(text('secret'));
    const { fetchOutside } = anOutside({ allowed: [] });
    const listening = await refusal(fetchOutside(`https://127.0.0.1:${server.port}`, small));
    expect(await refusal(fetchOutside('https://127.0.0.1:1025', small))).toBe(listening);
    expect(server.asked).toEqual([]);
  });
});

describe('a target that the operator allows', () => {
  it('can be reached by its name, address or network, also without encryption', async () => {
    await using server = await aWebServer(text('hello'));
    for (const allowed of ['intra.example', '127.0.0.1', '127.0.0.0/8']) {
      const { fetchOutside } = anOutside({ allowed: [allowed], names: { 'intra.example': ['127.0.0.1'] } });
      const { body } = await fetchOutside(`http://intra.example:${server.port}/a`, small);
      expect(body.toString()).toBe('hello');
    }
  });

  it('cannot be reached by another name or in another network', async () => {
    const names = { 'intra.example': ['127.0.0.1'] };
    const mapped = anOutside({ allowed: ['127.0.0.1'] }).fetchOutside('https://[::ffff:127.0.0.1]', small);
    await refusal(mapped);
    for (const allowed of ['example', 'x.intra.example', '127.0.0.2', '10.0.0.0/8', '::1']) {
      await refusal(anOutside({ allowed: [allowed], names }).fetchOutside('https://intra.example', small));
    }
  });

  it('can never be this platform itself, under any name', async () => {
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
      expect(await refusal(fetchOutside(address, small))).toBe('It points back to this platform.');
    }
    expect(server.asked).toEqual([]);
  });
});
