import { expect, test } from 'vitest';
import { lacksLink } from './lacksLink.ts';

const variables = [{ name: 'link.url', description: '', sample: 'https://example.com/open?a=1&b=2' }];

test('an e-mail that is about a link gets a warning if the link is missing', () => {
  expect(lacksLink({ variables }, '<p>Hello</p>')).toBe(true);
  expect(lacksLink({ variables }, '<a href="https://example.com/open?a=1&amp;b=2">')).toBe(false);
  expect(lacksLink({ variables: [] }, '<p>Hello</p>')).toBe(false);
});
