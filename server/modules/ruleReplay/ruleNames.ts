import { platformEvents } from '#contract/moduleRun.ts';
import type { RuleNames, readRuleNames } from '#contract/ruleReplay.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { eventsByName } from '#server/devices/events/eventHours.ts';
import { reportedPropertiesOf } from '#server/devices/state/reportedProperties.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { sql } from '#server/infra/db/sql.ts';
import { classesOf, type NamedClass } from '#server/modules/expressions/classNames.ts';

type Named = RuleNames['properties'][number];
type Schema = Record<string, unknown>;

const depthMax = 4;
const namesMax = 500;
const classesMax = 50;
const choicesMax = 30;

/** The names that conditions about these classes can use, for completion. */
export async function ruleNames({ db, params, query, now }: Call<typeof readRuleNames>): Promise<RuleNames> {
  const { projectId } = params;
  const ids = (query.deviceClasses ?? '').split(',').filter(id => id !== '');
  const classes = await classesOf(db, projectId, ids);
  const { sampled, shares } = await reportedShares(db, projectId, classes);
  return {
    classes: await classesBySize(db, projectId),
    sampled,
    properties: propertiesOf(classes, shares),
    variables: [...variables, ...(await dataLabels(db, projectId))],
    events: eventsOf(classes, await eventCounts(db, { projectId, ids, now })),
    commands: [...new Set(classes.flatMap(({ commandSchemas }) => Object.keys(commandSchemas ?? {})))].sort(),
    functions,
  };
}

function propertiesOf(classes: readonly NamedClass[], shares: Shares): Named[] {
  const names = new Map<string, Named>();
  for (const { stateSchema } of classes)
    for (const named of fieldsIn(stateSchema, 'state'))
      if (!names.has(named.path)) names.set(named.path, named);
  for (const [path, { type, ...reported }] of shares)
    names.set(path, { path, type, ...names.get(path), ...reported });
  return [...names.values()]
    .sort((a, b) => (b.share ?? 0) - (a.share ?? 0) || (a.path < b.path ? -1 : 1))
    .slice(0, namesMax);
}

type Shares = ReadonlyMap<string, { share: number; devices: number; type: Named['type'] }>;

async function reportedShares(
  db: Db,
  projectId: string,
  classes: readonly NamedClass[],
): Promise<{ sampled: number; shares: Shares }> {
  const counts = new Map<string, { devices: number; type: Named['type'] }>();
  let total = 0;
  for (const one of classes) {
    const { devices, properties } = await reportedPropertiesOf(db, { projectId, ...one });
    total += devices;
    for (const { name, devices: count, types } of properties) {
      const path = pathTo('state', name);
      const before = counts.get(path)?.devices ?? 0;
      counts.set(path, { devices: before + count, type: types.length === 1 ? typeWord(types[0]) : 'any' });
    }
  }
  const shares = [...counts].map(
    ([path, { devices, type }]) =>
      [path, { type, devices, share: total === 0 ? 0 : devices / total }] as const,
  );
  return { sampled: total, shares: new Map(shares) };
}

function classesBySize(db: Db, projectId: string): Promise<RuleNames['classes']> {
  return db.many(sql`
    select c.id, coalesce(n.devices, 0)::int as devices from device_classes c
      left join (select device_class, sum(claimed + unclaimed) as devices from device_counts
        where project_id = ${projectId} group by device_class) n on n.device_class = c.id
    where c.project_id = ${projectId} order by 2 desc, 1 limit ${classesMax}`);
}

/** The events that devices of these classes, or of all, sent in the last 24 hours. */
async function eventCounts(
  db: Db,
  { projectId, ids, now }: { projectId: string; ids: readonly string[]; now: Date },
): Promise<ReadonlyMap<string, number>> {
  const rows = await eventsByName(db, projectId, now);
  const counts = new Map<string, number>();
  for (const { name, deviceClass, count } of rows)
    if (ids.length === 0 || ids.includes(deviceClass)) counts.set(name, (counts.get(name) ?? 0) + count);
  return counts;
}

function eventsOf(classes: readonly NamedClass[], counts: ReadonlyMap<string, number>): RuleNames['events'] {
  const own = new Map<string, Named[]>([...counts.keys()].map(name => [name, []]));
  for (const { eventSchemas } of classes)
    for (const [name, schema] of Object.entries(eventSchemas ?? {}))
      own.set(name, [...(own.get(name) ?? []), ...fieldsIn(schema, 'event.payload')]);
  const platform = Object.entries(platformEvents).map(([name, summary]) => ({ name, summary, fields: [] }));
  const distinct = (fields: Named[]) => [...new Map(fields.map(field => [field.path, field])).values()];
  const sent = [...own].map(([name, fields]) => {
    const count = counts.get(name);
    return { name, fields: distinct(fields), ...(count !== undefined && { count }) };
  });
  return [...sent, ...platform];
}

/** The fields of a JSON Schema, including nested ones. */
function fieldsIn(schema: unknown, path: string, depth = 0): Named[] {
  const { properties } = (typeof schema === 'object' && schema !== null ? schema : {}) as Schema;
  if (typeof properties !== 'object' || properties === null || depth >= depthMax) return [];
  return Object.entries(properties as Record<string, unknown>).flatMap(([name, property]) => {
    const here = pathTo(path, name);
    const {
      type,
      description,
      title,
      unit,
      minimum,
      maximum,
      enum: choices,
    } = (typeof property === 'object' && property !== null ? property : {}) as Schema;
    const summary = [title, description].find(text => typeof text === 'string') as string | undefined;
    const named: Named = {
      path: here,
      type: typeWord(type ?? (isTexts(choices) ? 'string' : undefined)),
      ...(isTexts(choices) && { choices: choices.slice(0, choicesMax) }),
      ...(summary !== undefined && { summary }),
      ...(typeof unit === 'string' && { unit }),
      ...(typeof minimum === 'number' && { minimum }),
      ...(typeof maximum === 'number' && { maximum }),
    };
    return [named, ...fieldsIn(property, here, depth + 1)];
  });
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every(one => typeof one === 'string');

const pathTo = (holder: string, name: string) =>
  /^[A-Za-z_]\w*$/.test(name) ? `${holder}.${name}` : `${holder}[${JSON.stringify(name)}]`;

const words: Record<string, Named['type']> = {
  number: 'number',
  integer: 'number',
  string: 'text',
  boolean: 'true or false',
  array: 'list',
  object: 'object',
};
const typeWord = (type: unknown): Named['type'] =>
  (typeof type === 'string' ? words[type] : undefined) ?? 'any';

async function dataLabels(db: Db, projectId: string): Promise<Named[]> {
  const rows = await db.many<{ label: string; id: string }>(sql`
    select bulk_data_label as label, id from smart_modules
    where project_id = ${projectId} and bulk_data_label <> '' order by id`);
  return rows.map(({ label, id }) => ({
    path: pathTo('data', label),
    type: 'any',
    summary: `The data of ${id}, if the rule uses it as a data source.`,
  }));
}

const variables: Named[] = [
  { path: 'event.name', type: 'text', summary: 'The name of the event.' },
  { path: 'event.ts', type: 'time', summary: 'When it happened: event.ts.getHours("Europe/Berlin") < 7' },
  { path: 'event.payload', type: 'any', summary: 'The payload of the event; for _state_, what changed.' },
  { path: 'device.id', type: 'text', summary: 'The id of the device.' },
  { path: 'device.tag', type: 'text', summary: 'Its tag.' },
  { path: 'device.name', type: 'text', summary: 'Its name.' },
  { path: 'device.class', type: 'text', summary: 'The id of its class.' },
  { path: 'device.connected', type: 'true or false', summary: 'Whether it is connected.' },
  {
    path: 'device.connectedFor',
    type: 'duration',
    summary: 'How long it has been: device.connectedFor > duration("5m")',
  },
  { path: 'device.home', type: 'text', summary: 'The id of its home; empty if it has none.' },
];

const functions: RuleNames['functions'] = [
  {
    name: 'mean',
    usage: 'mean(state.temperature, 10)',
    summary: 'The mean of a number over the last minutes, up to 1,440.',
  },
  { name: 'min', usage: 'min(state.temperature, 10)', summary: 'The lowest value over the last minutes.' },
  { name: 'max', usage: 'max(state.temperature, 10)', summary: 'The highest value over the last minutes.' },
  { name: 'has', usage: 'has(state.temperature)', summary: 'Whether a field has a value.' },
  {
    name: 'fits',
    usage: 'fits(device.tag, "^hall-")',
    summary: 'Whether a text matches a regular expression.',
  },
  { name: 'duration', usage: 'duration("5m")', summary: 'A length of time, such as 90s, 5m or 2h.' },
  { name: 'size', usage: 'size(state.alarms)', summary: 'The length of a text or list.' },
  {
    name: 'exists',
    usage: 'state.zones.exists(zone, zone > 30)',
    summary: 'Whether the condition is true for any item of a list.',
  },
  {
    name: 'all',
    usage: 'state.zones.all(zone, zone > 30)',
    summary: 'Whether the condition is true for every item of a list.',
  },
  {
    name: 'startsWith',
    usage: 'device.tag.startsWith("hall-")',
    summary: 'Whether a text starts with another.',
  },
  { name: 'contains', usage: 'device.name.contains("hall")', summary: 'Whether a text contains another.' },
];
