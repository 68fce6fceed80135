import { describe, expect, it } from 'vitest';
import { logIn, signUp } from '#contract/account.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { theWorld, unique } from '#test/world.ts';

const world = theWorld();

const password = 'four words of nonsense';
const join = (email: string) =>
  world.visitor().client.call(signUp, { body: { email, password, name: 'Grace', orgId: 'default' } });

async function accounts(): Promise<string[]> {
  const rows = await world.platform.db.many<{ email: string }>(sql`select email from developers`);
  return rows.map(({ email }) => email);
}

describe('an address', () => {
  it.each([
    ['in capitals', (name: string) => `${name.toUpperCase()}@EXAMPLE.COM`],
    ['in full-width letters', (name: string) => `ａ${name.slice(1)}@example.com`],
    ['between blanks', (name: string) => `  ${name}@example.com `],
  ])('%s is the same account', async (_, spelling) => {
    const name = unique('a');
    await join(`${name}@example.com`);
    await join(spelling(name));
    expect((await accounts()).filter(email => email.includes(name.slice(1)))).toEqual([
      `${name}@example.com`,
    ]);
  });

  it('with an internationalized domain is the same as in ASCII', async () => {
    const name = unique('idn');
    await join(`${name}@bücher.example`);
    await join(`${name}@xn--bcher-kva.example`);
    expect((await accounts()).filter(email => email.startsWith(name))).toEqual([
      `${name}@xn--bcher-kva.example`,
    ]);
    const body = { email: `${name}@BÜCHER.example`, password, orgId: 'default' };
    expect(await world.visitor().client.call(logIn, { body })).toHaveProperty('developer');
  });

  it('with a plus tag, dots or a lookalike letter is another account', async () => {
    const name = unique('a');
    const spellings = [`${name}@example.com`, `${name}+x@example.com`, `${name}.@example.com`];
    for (const email of [...spellings, `а${name.slice(1)}@example.com`]) await join(email);
    expect((await accounts()).filter(email => email.includes(name.slice(1)))).toHaveLength(4);
  });

  it.each([
    ['a line break', 'a@example.com\r\nBcc: b@example.com'],
    ['a line feed inside', 'a\nb@example.com'],
    ['quotes', '"a b"@example.com'],
    ['a name', 'Ada <a@example.com>'],
    ['two receivers', 'a@example.com,b@example.com'],
    ['two receivers with a full-width comma', 'a，b@example.com'],
    ['two full-width signs', 'a@example.com＠evil.example'],
    ['a full-width bracket', 'a＜b＞@example.com'],
    ['a control character', 'a\u0001b@example.com'],
    ['a zero-width space', 'a\u200bb@example.com'],
    ['a path behind its domain', 'a@example.com/evil.example'],
    ['an escape in its domain', 'a@ex%61mple.com'],
    ['a hash in its domain', 'a@example.com#evil.example'],
    ['no domain', 'ada@'],
    ['one label', 'ada@localhost'],
    ['321 characters', `${'a'.repeat(309)}@example.com`],
  ])('with %s is refused', async (_, email) => {
    const { fields } = await failing(join(email), 'INVALID_FIELDS');
    expect(Object.keys(fields)).toEqual(['email']);
  });
});
