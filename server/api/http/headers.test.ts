import { describe, expect, it } from 'vitest';
import { rawCall } from '#test/rawCall.ts';
import { aWorld, theWorld } from '#test/world.ts';

const world = theWorld();
const get = (path: string, at = world) => rawCall(fetch, ['GET', at.url + path]);

const everywhere = [
  '/api/organizations/default',
  '/api/projects',
  '/api/nothing',
  '/nothing',
  '/healthz',
  '/outbox',
];

describe('every answer', () => {
  it.each(everywhere)(
    'at %s forbids MIME sniffing, framing, use by other origins and referrers',
    async path => {
      const { headers } = await get(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('server')).toBeNull();
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
    },
  );

  it('of the API allows a browser nothing and is not cached', async () => {
    for (const path of ['/api/organizations/default', '/api/projects']) {
      const { headers } = await get(path);
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('has its own request id, whatever the caller sends', async () => {
    const asked = { 'x-request-id': 'mine', 'request-id': 'mine' };
    const { headers } = await rawCall(fetch, ['GET', `${world.url}/healthz`], undefined, asked);
    expect(headers.get('x-request-id')).not.toBe('mine');
  });

  it('tells browsers to stay on https, but only if it is sent over https', async () => {
    const secure = await aWorld({ PUBLIC_URL: 'https://iot.example' });
    try {
      const { headers } = await get('/healthz', secure);
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    } finally {
      await secure.end();
    }
    expect((await get('/healthz')).headers.get('strict-transport-security')).toBeNull();
  });
});
