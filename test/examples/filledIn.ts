import type { ExampleRows } from './exampleRows.ts';
import type { Given } from './states.ts';

type What = Parameters<ExampleRows['id']>[0];

/** The rows that ids in examples stand for, by prefix. */
const byPrefix: Record<string, What> = {
  prj: 'project',
  dvl: 'developer',
  dev: 'device',
  cmd: 'command',
  alr: 'alert',
  evt: 'event',
  lrq: 'logRequest',
  dvw: 'view',
  act: 'action',
  imp: 'import',
  cmp: 'component',
  ver: 'version',
  bnd: 'bundle',
  chn: 'channel',
  rol: 'rollout',
  key: 'key',
  prx: 'proxyRoute',
  usr: 'user',
  hin: 'homeInvitation',
  uam: 'method',
};

/** The rows that fields name by an id that somebody chose, or by a number. */
const byField: Record<string, What> = {
  deviceClass: 'deviceClass',
  deviceClasses: 'deviceClass',
  classId: 'deviceClass',
  appId: 'app',
  homeId: 'home',
  pairKey: 'kvPair',
  moduleId: 'module',
  channel: 'channel',
};

const prefixOf = (text: string) => /^([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}$/.exec(text)?.[1] ?? '';

/** The value, once it is clear that the example is an id of such rows. */
function ofSameKind(example: unknown, value: unknown, field: string): unknown {
  const [shown, real] = [prefixOf(String(example)), prefixOf(String(value))];
  if (shown !== real)
    throw new Error(`The example of ${field} begins with ${shown}_, its rows with ${real}_.`);
  return value;
}

/**
 * The example as it is, with the ids of rows that exist in place of those of the document, and with what only the
 * server knows.
 */
export async function filledIn(
  example: unknown,
  rows: ExampleRows,
  given: Given,
  field = '',
): Promise<unknown> {
  if (field in given) return ofSameKind(example, given[field], field);
  if (Array.isArray(example)) return Promise.all(example.map(item => filledIn(item, rows, given, field)));
  if (typeof example === 'object' && example !== null) {
    const parts: [string, unknown][] = [];
    for (const [name, part] of Object.entries(example)) {
      const value = await filledIn(part, rows, given, name);
      if (value !== undefined) parts.push([name, value]);
    }
    return Object.fromEntries(parts);
  }
  if (typeof example !== 'string' || example === '') return example;
  const what = byPrefix[prefixOf(example)];
  if (what) return rows.id(what === 'device' && rows.ofApp ? 'homeDevice' : what);
  const named = byField[field];
  if (named === undefined) return example;
  const id = await rows.id(named);
  return named === 'home' ? id : example;
}
