import { describe, expect, it } from 'vitest';
import { parseStrictJson } from './strictJson.ts';

describe('parseStrictJson', () => {
  it.each([
    '{}',
    '[1, -2.5e3, "a\\"b", null, true]',
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '"x"',
    '9007199254740991',
    '-9007199254740992',
    '1e22',
    '9007199254740992.0',
    '0.1',
    '-0e-999',
    '5e-324',
    '1.7976931348623157e308',
  ])('accepts %s', text => {
    expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  it.each([
    ['{"a":1,}', 'SYNTAX'],
    ['', 'SYNTAX'],
    ['{"a":1,"a":2}', 'DUPLICATE_KEY'],
    ['{"a":1,"\\u0061":2}', 'DUPLICATE_KEY'],
    ['1e400', 'NUMBER_RANGE'],
    ['[9007199254740993]', 'NUMBER_RANGE'],
    ['18446744073709551616', 'NUMBER_RANGE'],
    ['-9007199254740993.0', 'NUMBER_RANGE'],
    ['9.007199254740993e15', 'NUMBER_RANGE'],
    ['12345678901234567.5', 'NUMBER_RANGE'],
    ['1e-400', 'NUMBER_RANGE'],
    ['{"a":-0.001e-399}', 'NUMBER_RANGE'],
    ['{"a":0e-99999}', 'NUMBER_RANGE'],
    ['-0.0E+1000', 'NUMBER_RANGE'],
    [`${'1'.repeat(2_000)}e-1990`, 'NUMBER_RANGE'],
    ['"a\\u0000"', 'TEXT'],
    ['"\\ud800"', 'TEXT'],
    ['{"\\ud800":1}', 'TEXT'],
    [`${'['.repeat(101)}${']'.repeat(101)}`, 'TOO_DEEP'],
  ])('refuses %s', (text, fault) => {
    expect(parseStrictJson(text)).toMatchObject({ ok: false, fault });
  });

  it('returns the position of a duplicate key', () => {
    expect(parseStrictJson('{"a":1, "a":2}')).toMatchObject({ at: 8 });
  });

  it('keeps __proto__ as plain data', () => {
    const parsed = parseStrictJson('{"__proto__":{"polluted":true}}');
    expect(parsed.ok).toBe(true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
