import { type Column, Table } from '#console/ui/list/Table.tsx';
import { absoluteTime } from '#console/ui/time/dateTexts.ts';
import css from './userAuthMethods.module.css';

interface Claim {
  name: string;
  value: unknown;
}

/** The meanings of the important claims, most important first. */
const meanings: Readonly<Record<string, string>> = {
  sub: 'The user. Never changes and is unique at this issuer',
  email: 'Can change, and can later belong to someone else',
  email_verified: 'Whether the provider has verified the address',
  name: 'The display name',
  preferred_username: 'The user name at the provider',
  given_name: '',
  family_name: '',
  picture: '',
  locale: '',
  iss: 'The provider',
  aud: 'The client',
  iat: 'Issued at',
  exp: 'Expires at',
  auth_time: 'Signed in at',
};

const timeClaims = new Set(['iat', 'exp', 'auth_time', 'updated_at', 'nbf']);

export function Claims({ claims }: { claims: Readonly<Record<string, unknown>> }) {
  const order = Object.keys(meanings);
  const rank = ({ name }: Claim) => (order.includes(name) ? order.indexOf(name) : order.length);
  const rows = Object.entries(claims)
    .map(([name, value]) => ({ name, value }))
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  return <Table label="Claims" columns={columns} rows={rows} rowKey={({ name }) => name} />;
}

const columns: readonly Column<Claim>[] = [
  { id: 'name', head: 'Claim', width: '40%', cell: ({ name }) => <code className={css.claim}>{name}</code> },
  {
    id: 'value',
    head: 'Value',
    cell: claim => (
      <span className={css.value} dir="auto">
        {valueText(claim)}
      </span>
    ),
  },
  {
    id: 'meaning',
    head: 'Meaning',
    width: '30%',
    cell: ({ name }) => <span className={css.quiet}>{meanings[name]}</span>,
  },
];

function valueText({ name, value }: Claim): string {
  if (typeof value === 'string') return value;
  if (timeClaims.has(name) && typeof value === 'number' && Math.abs(value) < 8.64e12)
    return absoluteTime(new Date(value * 1000).toISOString());
  return JSON.stringify(value);
}
