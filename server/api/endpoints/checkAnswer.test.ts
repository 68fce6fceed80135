import { expect, it } from 'vitest';
import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { checkAnswer } from './checkAnswer.ts';

const readSite = endpoint('readSite', 'GET /sites/:siteId', {
  summary: 'Reads a site.',
  access: 'login',
  answer: z.object({ id: z.string(), tags: z.array(z.object({ name: z.string() })), more: z.unknown() }),
});

it('an answer with a field that its endpoint does not declare fails, at any depth', () => {
  const site = { id: 'a', tags: [{ name: 'x' }], more: { any: 'thing' } };
  checkAnswer(readSite, site);
  checkAnswer(readSite, { ...site, hash: undefined });
  expect(() => checkAnswer(readSite, { ...site, hash: 'secret' })).toThrow('not declare: hash');
  expect(() => checkAnswer(readSite, { ...site, tags: [{ name: 'x', secret: 1 }] })).toThrow('tags.0.secret');
});
