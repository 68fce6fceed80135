import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sliceTables } from './sliceTables.ts';

const root = join(import.meta.dirname, '../..');

/**
 * The slices that write another slice's table, by reason. The deletion of a project names no table, so it is not
 * listed.
 */
const exceptions: Record<string, string[]> = {
  'A device is deleted in one transaction, and partitions have no foreign key that would do it.': [
    'device_events server/devices/devices/deleteDevice.ts',
    'log_entries server/devices/devices/deleteDevice.ts',
    'presence_changes server/devices/devices/deleteDevice.ts',
  ],
  'A device and its presence are made together: no device is ever without.': [
    'device_presence server/devices/devices/createDevice.ts',
    'device_presence server/devices/devices/insertDevices.ts',
    'device_presence server/devices/devices/seedDevices.ts',
  ],
  'A project and its owner are made by one statement: no project is ever without.': [
    'project_members server/projects/projects/store.ts',
  ],
  'A user was seen when a session of theirs was, and the calls about users end sessions.': [
    'users server/people/sessions/touchUser.ts',
  ],
};

interface Write {
  /** The room under `server`, or else the part of the repository. */
  writer: string;
  table: string;
  path: string;
}

/**
 * Matches a statement that writes, with its table. `update` counts only with its `set`, because `for update` writes
 * nothing. `updateRow` and `BulkActions` with their table count as well.
 */
const writing =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(\w+)|\bupdate\s+(?:only\s+)?(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b|\bupdateRow\(\s*\w+,\s*'(\w+)'|\bnew\s+BulkActions<[^>]*>\('(\w+)'/gi;

function writesIn(path: string, text: string): Write[] {
  const [part = '', neighborhood, room] = path.split('/');
  return [...text.matchAll(writing)].map(([, into, updated, given, kept]) => ({
    writer: part === 'server' ? `${neighborhood}/${room}` : part,
    table: (into ?? updated ?? given ?? kept ?? '').toLowerCase(),
    path,
  }));
}

function sources(part: string): string[] {
  return readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
    .map(name => `${part}/${name.replaceAll('\\', '/')}`)
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'));
}

it('a table is written only by the slice that owns it', async () => {
  const owners = await sliceTables();
  const writes = ['server', 'cli']
    .flatMap(sources)
    .flatMap(path => writesIn(path, readFileSync(join(root, path), 'utf8')));
  const strangers = writes
    .filter(({ table, writer }) => owners.has(table) && owners.get(table)?.owner !== writer)
    .map(({ table, path }) => `${table} ${path}`);
  const allowed = Object.values(exceptions).flat();
  expect([...new Set(strangers)].filter(one => !allowed.includes(one)).sort()).toEqual([]);
  // No exception is unused.
  expect(allowed.filter(one => !strangers.includes(one))).toEqual([]);
});

it('statements that write are recognized by this test', () => {
  const texts = [
    'insert into Devices (id)',
    'INSERT INTO\n devices as d',
    'delete from devices where',
    'update devices set x = 1',
    'update devices d set x = 1',
    'update devices as d\n set x',
    'truncate devices',
    'truncate table devices',
    "updateRow(db, 'devices', { id }, edit, columns)",
    "new BulkActions<Name, Asked>('devices')",
    'merge into devices d using',
  ];
  for (const text of texts)
    expect(writesIn('server/a/b/c.ts', text), text).toEqual([
      { writer: 'a/b', table: 'devices', path: 'server/a/b/c.ts' },
    ]);
  for (const text of [
    'select x from devices for update of d',
    'on conflict do update set x = 1',
    'for no key update',
  ])
    expect(
      writesIn('server/a/b/c.ts', text).filter(({ table }) => table === 'devices'),
      text,
    ).toEqual([]);
});
