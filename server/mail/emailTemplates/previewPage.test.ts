import { expect, it } from 'vitest';
import { theWorld } from '#test/world.ts';

const world = theWorld();

it('the preview has its own origin and allows only styles and pictures', async () => {
  const answer = await fetch(`${world.url}/page/mail-preview`);
  const policy = (answer.headers.get('content-security-policy') ?? '').split('; ');
  expect(policy).toContain('sandbox allow-scripts');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'self'");
  const scripts = policy.find(rule => rule.startsWith('script-src')) ?? '';
  expect(scripts).toMatch(/^script-src 'sha256-[\w+/]+=*'$/);
  expect(await answer.text()).toContain('<iframe sandbox title=');
});
