import { expect, test } from 'vitest';
import * as letters from './developerMails.ts';
import { type Letter, subjectLine } from './letter.ts';
import { link } from './mailLinks.ts';
import { inert } from './names.ts';
import * as notices from './notices.ts';

const bad = '"><script>alert(1)</script>\r\nBcc: all@example.com';
const given = {
  baseUrl: 'https://iot.example/orgs/nordlys',
  name: bad,
  inviter: bad,
  by: { inviter: bad, project: bad },
  project: bad,
  projectId: bad,
  newEmail: bad,
  device: bad,
  address: bad,
  sudoer: bad,
  token: `t${bad}`,
  at: new Date('2026-11-20T09:46:00Z'),
};
const write: Record<string, (from: typeof given) => Letter> = { ...letters, ...notices };
const all = Object.entries(write).map(([name, letter]) => ({ name, letter: letter(given) }));

test('every e-mail of the platform is tested', () => expect(all).toHaveLength(11));

test.each(all)('$name escapes markup and line breaks in names', ({ letter }) => {
  expect(letter.html).not.toContain('<script');
  expect(letter.subject).not.toMatch(/[\r\n]/);
  for (const [, href = ''] of letter.html.matchAll(/href="([^"]*)"/g)) {
    expect(href).toMatch(/^https:\/\/iot\.example\/orgs\/nordlys\//);
  }
});

test.each(all)('$name has the same content as plain text', ({ letter }) => {
  for (const [, href = ''] of letter.html.matchAll(/href="([^"]*)"/g)) {
    expect(letter.text).toContain(href.replaceAll('&amp;', '&'));
  }
  expect(letter.text).toContain(letter.subject);
});

test('an ordinary name is not changed', () => {
  const { text } = letters.verificationLetter({
    baseUrl: 'http://localhost:8080',
    name: 'Zoë O’Neill',
    token: 'a/b+c',
  });
  expect(text).toContain('Hello Zoë O’Neill,');
  expect(text).toContain('http://localhost:8080/verify?token=a%2Fb%2Bc');
});

test('a name cannot contain an advertisement that mail programs turn into a link', () => {
  const shown = inert('Win at http://spam.example now');
  expect(shown).not.toMatch(/https?:\/\//);
  expect(shown).not.toContain('spam.example');
  expect(shown.replaceAll('\u2060', '')).toBe('Win at http://spam.example now');
  expect([...inert('x'.repeat(500))]).toHaveLength(60);
});

test('a subject is a single line', () => {
  expect(subjectLine('a\r\nBcc: b\u2028c\u0000d')).toBe('a Bcc: b c d');
  expect([...subjectLine('😀'.repeat(300))]).toHaveLength(200);
});

test('a link keeps the path of the organization and encodes its parameters', () => {
  expect(link('https://iot.example/orgs/a/', '/verify', { token: '&x=1#' })).toBe(
    'https://iot.example/orgs/a/verify?token=%26x%3D1%23',
  );
  expect(() => link('javascript:alert(1)', '/verify')).toThrow();
});
