import { expect, it } from 'vitest';
import { maskHeader, maskSecrets } from './maskSecrets.ts';

it('no secret of a request or answer is shown, however deeply it is nested', () => {
  const said = JSON.stringify({
    email: 'mari@example.com',
    password: 'hunter2!',
    invitation: 'min_1',
    tokens: [{ accessToken: 'mat_1', refreshToken: 'mrt_1', sessionId: 'uss_1' }],
    device: { apiKey: 'k'.repeat(32) },
  });
  const shown = maskSecrets(said);
  expect(shown).not.toMatch(/hunter2|min_1|mat_1|mrt_1|kkk/);
  expect(shown).toContain('mari@example.com');
  expect(shown).toContain('uss_1');
  expect(maskHeader('Authorization', 'Bearer mat_1')).toBe('Bearer ••••');
});

it('text that is not JSON is shown unchanged', () => {
  expect(maskSecrets('<h1>Hello</h1>')).toBe('<h1>Hello</h1>');
});
