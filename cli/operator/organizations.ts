import { insertOrganization, setOrganizationColumn } from '#server/accounts/organizations/store.ts';
import { sql } from '#server/infra/db/sql.ts';
import { errorCode } from '#server/infra/errorCode.ts';
import type { Platform } from '#server/infra/platform.ts';
import { auditOperator } from './platform.ts';
import { type Command, columns, readWords, UsageFault } from './words.ts';

const idRule = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;

/** The settings of an organization, and how their text is parsed. */
const settings: Record<
  string,
  { column: string; read: (text: string) => string | boolean | string[] | null }
> = {
  name: { column: 'name', read: text => text },
  'console-url': { column: 'console_base_url', read: text => (text === 'none' ? null : origin(text)) },
  origins: { column: 'allowed_origins', read: text => (text === 'none' ? [] : text.split(',').map(origin)) },
  'require-verification': { column: 'require_verification', read: yesNo },
};

export const organizationCommands: Command[] = [
  {
    name: 'org create',
    usage: 'org create <id> --name <name>',
    says: 'creates an organization, open to sign-ups',
    async run(platform, words) {
      const { plain, options } = readWords(words, 1, ['name']);
      const id = plain[0] ?? '';
      if (!idRule.test(id))
        throw new UsageFault('An id consists of lower-case letters and digits, with hyphens in between.');
      await platform.db.tx(async db => {
        const made = await insertOrganization(db, { id, name: options.name });
        if (!made) throw new UsageFault(`Organization ${id} already exists.`);
        await auditOperator(db, platform, {
          orgId: id,
          action: 'createOrganization',
          text: `Organization ${id} created`,
        });
      });
      return [`Created. The console of this organization: ${platform.publicUrl()}/orgs/${id}/`];
    },
  },
  {
    name: 'org list',
    usage: 'org list',
    says: 'lists the organizations',
    async run({ db }) {
      const rows = await db.many<{
        id: string;
        name: string;
        open: boolean;
        url: string | null;
        developers: string;
      }>(sql`
        select o.id, o.name, o.open_to_sign_ups as open, o.console_base_url as url,
          (select count(*) from developers d where d.org_id = o.id) as developers
        from organizations o order by o.id`);
      return columns([
        ['ID', 'NAME', 'SIGN-UPS', 'DEVELOPERS', 'CONSOLE'],
        ...rows.map(row => [row.id, row.name, row.open ? 'open' : 'closed', row.developers, row.url ?? '-']),
      ]);
    },
  },
  {
    name: 'org open',
    usage: 'org open <id>',
    says: 'opens an organization to sign-ups',
    run: (platform, words) => change(platform, words, 'open_to_sign_ups', true, 'opened to sign-ups'),
  },
  {
    name: 'org close',
    usage: 'org close <id>',
    says: 'closes an organization to sign-ups; invitations still work',
    run: (platform, words) => change(platform, words, 'open_to_sign_ups', false, 'closed to sign-ups'),
  },
  {
    name: 'org set',
    usage: `org set <id> ${Object.keys(settings).join('|')} <value>`,
    says: 'changes a setting; "none" clears it, yes or no turns it on or off',
    run(platform, words) {
      const { plain } = readWords(words, 3, []);
      const [id = '', name = '', value = ''] = plain;
      const setting = settings[name];
      if (!setting) throw new UsageFault(`${name} is not a setting.`);
      return change(platform, [id], setting.column, setting.read(value), `set ${name} to ${value}`);
    },
  },
  {
    name: 'org require-two-factor',
    usage: 'org require-two-factor <id> [--off]',
    says: 'requires two-factor authentication to open a project; --off removes the requirement',
    async run(platform, words) {
      const off = words.includes('--off');
      const plain = words.filter(word => word !== '--off');
      const what = off
        ? 'no longer requires two-factor authentication'
        : 'requires two-factor authentication';
      const lines = await change(platform, plain, 'require_two_factor', !off, what);
      return off ? lines : [...lines, await withoutTwoFactor(platform, plain[0] ?? '')];
    },
  },
];

/** The developers that the requirement keeps out until they turn on two-factor authentication. */
async function withoutTwoFactor({ db }: Platform, org: string): Promise<string> {
  const row = await db.one<{ all: number; without: number }>(sql`
    select count(*)::int as all, count(*) filter (where not totp_active)::int as without
    from developers where org_id = ${org} and password_hash is not null`);
  if (!row?.without) return 'All its developers have turned it on.';
  const has = row.without === 1 ? 'has' : 'have';
  return `${row.without} of ${row.all} developers ${has} not turned it on. Until they do, they can sign in but open only their account.`;
}

async function change(
  platform: Platform,
  words: string[],
  column: string,
  value: string | boolean | string[] | null,
  what: string,
): Promise<string[]> {
  const id = readWords(words, 1, []).plain[0] ?? '';
  await platform.db.tx(async db => {
    if (!(await setOrganizationColumn(db, id, column, value).catch(taken)))
      throw new UsageFault(`Organization ${id} does not exist.`);
    await auditOperator(db, platform, {
      orgId: id,
      action: 'editOrganization',
      text: `Organization ${id} ${what}`,
    });
  });
  return [`Organization ${id} ${what}.`];
}

function taken(error: unknown): never {
  throw errorCode(error) === '23505' ? new UsageFault('Another organization already has this value.') : error;
}

function origin(text: string): string {
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isWeb) throw new UsageFault(`${text} is not an address such as https://console.example.com.`);
  return new URL(text).origin;
}

function yesNo(text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new UsageFault('Enter yes or no.');
  return text === 'yes';
}
