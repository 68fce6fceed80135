import { describe, expect, it } from 'vitest';
import { homeIdsIn, isForwardable, isSourcePath, restBelow } from './proxyPaths.ts';

describe('a source path', () => {
  it.each(['/', '/energy', '/energy/v2', '/a.b', '/~x', '/a:b@c'])('can be %s', path => {
    expect(isSourcePath(path)).toBe(true);
  });

  it.each([
    '',
    'energy',
    '/energy/',
    '//',
    '/a//b',
    '/..',
    '/a/./b',
    '/a%20b',
    '/a?b',
    '/a#b',
    '/a b',
    '/a;b',
    '/ä',
    `/${'a'.repeat(200)}`,
  ])('cannot be %j', path => {
    expect(isSourcePath(path)).toBe(false);
  });

  it.each([
    ['/', '/energy/x', '/energy/x'],
    ['/', '', ''],
    ['/energy', '/energy', ''],
    ['/energy', '/energy/', '/'],
    ['/energy', '/energy/x', '/x'],
    ['/energy', '/energyx', undefined],
    ['/energy', '/Energy', undefined],
    ['/energy', '/', undefined],
  ])('%s matches %j and leaves %j', (source, path, rest) => {
    expect(restBelow(source, path)).toBe(rest);
  });
});

describe('a path', () => {
  it.each([
    '',
    '/',
    '/energy/',
    '/a/b.c',
    '/a/...',
    '/a/..b',
    '/%20',
    '/a%252e',
    '/a;b=c',
    "/a'(b)",
    '/%C3%A4',
  ])('is forwarded as %j', path => {
    expect(isForwardable(path)).toBe(true);
  });

  it.each([
    'x',
    '//',
    '//10.0.0.1/',
    '/a//b',
    '/..',
    '/../a',
    '/a/..',
    '/a/./b',
    '/.',
    '/%2e%2e/a',
    '/.%2E/a',
    '/%2e/a',
    '/a%2fb',
    '/a%2Fb',
    '/a%5cb',
    '/a\\b',
    '/a%00b',
    '/a b',
    '/a\tb',
    '/a\r\nb',
    '/a#b',
    '/ä',
    '/a%',
    '/a%g0',
    '/a%2',
    '/..;/a',
    '/..;x=1/a',
    '/..%3b/a',
    '/%2e%2e;/a',
    '/.;/a',
    '/a<b',
    '/a"b',
    '/a{b',
    '/a|b',
    '/a?b',
    '\u{ff0f}',
  ])('is refused as %j', path => {
    expect(isForwardable(path)).toBe(false);
  });
});

it('only tokens of digits are read as ids of homes, each once', () => {
  expect(homeIdsIn(' 1001, 1002\n x1003 1004x 10.5 -7 1001;1005 ')).toEqual([1001, 1002, 1005]);
});
