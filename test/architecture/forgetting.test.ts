import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, type Sql, sql } from '#server/infra/db/sql.ts';
import { slices } from '#server/slices.ts';
import { type TestDatabase, testDatabase } from '../database.ts';

let base: TestDatabase;
beforeAll(async () => {
  base = await testDatabase();
});
afterAll(() => base.end());

/** Tables that name a device and keep their rows when it leaves its home, with the reason. */
const keptOfDevices: Readonly<Record<string, string>> = {
  device_connections: 'The connections there are now, which the release closes.',
  device_entities: 'The parts a device has are its own; their states are deleted by the release itself.',
  device_kv: 'Config that developers set.',
  device_presence: 'When the device was last connected, whoever owns it.',
  device_states: 'Desired and reported state are deleted by the release itself.',
  device_targets: 'The firmware of the device; the answer of the home is deleted by the release itself.',
  device_updates: 'The firmware that the device ran, which stays true in its next home.',
  home_events: 'What the home itself may still read, for a day.',
  home_guest_devices: 'Deleted by the release itself, with the right that a row is.',
  log_requests: 'Log files that developers asked for, under the retention of logs.',
  presence_changes: 'Shown to developers alone, who see a device whoever owns it.',
  rollout_devices: 'How a rollout went on the device.',
  schedule_acts: 'Holds no message; deleted after a few days.',
};

/** Columns that name a person and keep that name when an end user is erased, with the reason. */
const keptOfUsers: Readonly<Record<string, string>> = {
  'bundles.created_by': 'A developer or an access token.',
  'channel_bundles.actor_id': 'A developer.',
  'channel_bundles.actor_name': 'A developer.',
  'component_versions.created_by': 'A developer or an access token.',
  'device_class_revisions.saved_by': 'A developer or an API key.',
  'device_imports.created_by': 'A developer or an API key.',
  'keys.created_by': 'A developer.',
  'projects.created_by': 'A developer.',
  'proxy_routes.created_by': 'A developer.',
  'rollout_events.actor_id': 'A developer or an API key.',
  'rollout_events.actor_name': 'A developer or an API key.',
  'rollouts.created_by': 'A developer or an API key.',
  'rollouts.paused_by': 'A developer or an API key.',
  'smart_modules.created_by': 'A developer.',
  'table_versions.saved_by': 'A developer or an API key.',
  'developers.email': 'A developer.',
  'developers.pending_email': 'A developer.',
  'users.email': 'The row of the account is deleted.',
  'users.new_email': 'The row of the account is deleted.',
  'devices.claimed_by': 'A random id; a name is looked up in the account, which is deleted.',
  'home_events.user_id': 'A random id, deleted after a day with its row.',
  'home_guest_devices.user_id': 'Deleted with the membership.',
  'home_members.user_id': 'Deleted by leaving all homes.',
  'log_entries.actor': 'Erased by a job of its own, which rewrites sealed blocks.',
  'log_people.person': 'Erased by a job of its own, which rewrites sealed blocks.',
};

it('a release wipes every table that names a device, or it is known why not', async () => {
  const past = {
    projectId: 'prj_1',
    deviceId: 'dev_1',
    deviceClass: 'lamp',
    from: new Date(0),
    until: new Date(),
  };
  const wiped = await changedBy(async db => {
    for (const { wipesReleased } of slices) await wipesReleased?.(db, past);
  });
  const naming = await columnsLike('^device_id$');
  const tables = naming.map(({ table }) => table).filter(table => !wiped.has(table));
  expect(tables).toEqual(Object.keys(keptOfDevices).sort());
});

it('an erasure covers every column that names a person, or it is known why not', async () => {
  const user = { projectId: 'prj_1', userId: 'usr_1', addresses: ['ada@example.com'] };
  const changed = await changedBy(async db => {
    for (const { forgetsUser } of slices) await forgetsUser?.(db, user);
  });
  const naming = await columnsLike(
    '(^|_)user_id$|^(?!caused).*(^|_)by$|^actor|(^|_)email$|^person$|^recipient$|^names_user$|^inviter_|^consent$',
  );
  const kept = naming
    .filter(({ table, isCascading }) => !changed.has(table) && !isCascading)
    .map(({ table, column }) => `${table}.${column}`);
  expect(kept.sort()).toEqual(Object.keys(keptOfUsers).sort());
});

/** The tables that the statements of this work change or delete from. */
async function changedBy(work: (db: Database) => Promise<void>): Promise<Set<string>> {
  const changed = new Set<string>();
  const note = ({ text }: Sql) => {
    for (const [, table = ''] of text.matchAll(/\b(?:delete from|update)\s+(\w+)/g)) changed.add(table);
  };
  await work({
    ...base.db,
    run: async query => {
      note(query);
      return base.db.run(query);
    },
  });
  return changed;
}

interface Column {
  table: string;
  column: string;
  /** The rows of the table are deleted with the account. */
  isCascading: boolean;
}

function columnsLike(pattern: string): Promise<Column[]> {
  return base.db.many<Column>(sql`
    select c.relname as table, a.attname as column, exists (
      select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and k.confdeltype = 'c'
        and k.confrelid = 'users'::regclass) as "isCascading"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not a.attisdropped and a.attnum > 0 and a.atttypid <> 'boolean'::regtype and a.attname ~ ${pattern}
    order by c.relname, a.attname`);
}
