import { createHash } from 'node:crypto';
import { stateDelta } from '#rules/state/stateDelta.ts';
import type { RetainedName } from '#server/classes/frames/topics.ts';
import type { ConnectedDevice } from '#server/devices/presence/connectedDevices.ts';
import { firmwareUrl } from '#server/firmware/components/firmwareLink.ts';
import { deltaUrl } from '#server/firmware/deltas/deltaFiles.ts';
import type { Handed } from '#server/firmware/targets/handedTargets.ts';
import { deltaBytesOf, frameOf, type Target, targetsOf } from '#server/firmware/targets/targetFrames.ts';
import type { WatchedDevices } from '#server/infra/bus/watchedDevices.ts';
import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

const itemsMax = 200;

type Needs = Pick<Platform, 'db' | 'sealing' | 'clock' | 'publicUrl'>;

type Device = Pick<ConnectedDevice, 'id' | 'projectId' | 'deviceClass'>;
type JsonObject = Record<string, unknown>;

export interface RetainedValue {
  payload: Uint8Array;
  /** Changes whenever the value does. */
  mark: string;
  /** What is recorded of a target once the device has received it. */
  handed?: Pick<Handed, 'sequence' | 'deltaBytes'>;
  /** The version of the desired state, if the device has not reported all of it yet. */
  desired?: number;
}

interface State {
  reported: JsonObject;
  desired: JsonObject;
  version: number;
}

/** Reads the current retained values; requests of many devices are batched into one query. */
export class RetainedValues {
  readonly #watched: WatchedDevices;
  readonly #states: GroupCommit<Device, State>;
  readonly #configs: GroupCommit<Device, string>;
  readonly #targets: GroupCommit<Device, Target | undefined>;
  readonly #platform: Needs;

  constructor(platform: Needs, watched: WatchedDevices) {
    const { db } = platform;
    this.#platform = platform;
    this.#watched = watched;
    this.#states = new GroupCommit({
      name: 'states read',
      run: devices => findStates(db, devices),
      itemsMax,
    });
    this.#configs = new GroupCommit({
      name: 'configs read',
      run: devices => findConfigs(db, devices),
      itemsMax,
    });
    this.#targets = new GroupCommit({
      name: 'targets read',
      run: devices => targetsOf(db, devices),
      itemsMax,
    });
  }

  async of(device: Device, names: readonly RetainedName[]): Promise<Map<RetainedName, RetainedValue>> {
    const wants = (...some: RetainedName[]) => some.some(name => names.includes(name));
    const [state, config, target] = await Promise.all([
      wants('desired', 'delta') ? this.#states.add(device) : undefined,
      wants('config') ? this.#configs.add(device) : undefined,
      wants('target') ? this.#targets.add(device) : undefined,
    ]);
    const texts = new Map<RetainedName, string>();
    if (state && wants('desired')) texts.set('desired', desiredText(state));
    if (state && wants('delta')) texts.set('delta', deltaText(state));
    if (config !== undefined) texts.set('config', config);
    if (wants('target') && !target) texts.set('target', 'null');
    if (wants('logWanted')) texts.set('logWanted', JSON.stringify({ wanted: this.#watched.has(device.id) }));
    const values = new Map([...texts].map(([name, text]) => [name, toValue(text)]));
    if (state && isDue(state))
      for (const name of ['desired', 'delta'] as const) {
        const value = values.get(name);
        if (value) value.desired = state.version;
      }
    return target ? values.set('target', this.#render(target)) : values;
  }

  /** Renders a target with new links each time; they do not count as a change. */
  #render(target: Target): RetainedValue {
    const linkTo: Parameters<typeof frameOf>[2] = ({ from, ...about }, until) =>
      from === undefined
        ? firmwareUrl(this.#platform, about, until)
        : deltaUrl(this.#platform, { ...about, from }, until);
    const { mark, sequence } = target;
    const payload = Buffer.from(JSON.stringify(frameOf(this.#platform, target, linkTo)));
    return { payload, mark, handed: { sequence, deltaBytes: deltaBytesOf(target) } };
  }
}

const isDue = ({ reported, desired }: State) => Object.keys(stateDelta(reported, desired)).length > 0;

function toValue(text: string): RetainedValue {
  return { payload: Buffer.from(text), mark: createHash('sha1').update(text).digest('base64url') };
}

function desiredText({ desired, version }: State): string {
  return JSON.stringify({ version, desired });
}

function deltaText({ reported, desired, version }: State): string {
  return JSON.stringify({ version, delta: stateDelta(reported, desired) });
}

async function findStates(db: Db, devices: Device[]): Promise<State[]> {
  const rows = await db.many<State & { id: string }>(sql`
    select s.device_id as id, s.reported, s.desired, s.desired_version as version
    from ${asked(devices)} join device_states s on s.project_id = asked.project_id and s.device_id = asked.id`);
  const byId = new Map(rows.map(row => [row.id, row]));
  return devices.map(({ id }) => byId.get(id) ?? { reported: {}, desired: {}, version: 0 });
}

interface Pair {
  owner: string;
  key: string;
  value: string;
}

/**
 * The config as JSON: the pairs of the class, overridden by the device's own. Values keep their original text.
 */
async function findConfigs(db: Db, devices: Device[]): Promise<string[]> {
  const ofClasses = await db.many<Pair>(sql`
    select k.project_id || ' ' || k.device_class as owner, k.key, k.value::text as value
    from (select distinct project_id, device_class from ${asked(devices)}) as c
    join device_class_kv k on k.project_id = c.project_id and k.device_class = c.device_class order by k.key`);
  const ofDevices = await db.many<Pair>(sql`
    select k.device_id as owner, k.key, k.value::text as value
    from ${asked(devices)} join device_kv k on k.project_id = asked.project_id and k.device_id = asked.id order by k.key`);
  const byOwner = Map.groupBy([...ofClasses, ...ofDevices], ({ owner }) => owner);
  // Most devices have no pairs of their own, so the text is built once per class.
  const texts = new Map<string, string>();
  return devices.map(({ id, projectId, deviceClass }) => {
    const ofClass = `${projectId} ${deviceClass}`;
    const own = byOwner.get(id) ?? [];
    const text = own.length > 0 ? undefined : texts.get(ofClass);
    const made = text ?? configText([...(byOwner.get(ofClass) ?? []), ...own]);
    if (own.length === 0) texts.set(ofClass, made);
    return made;
  });
}

function configText(pairs: Pair[]): string {
  const last = new Map(pairs.map(({ key, value }) => [key, value]));
  return `{${[...last].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

function asked(devices: readonly Device[]) {
  return sql`unnest(
    ${devices.map(({ projectId }) => projectId)}::text[], ${devices.map(({ deviceClass }) => deviceClass)}::text[],
    ${devices.map(({ id }) => id)}::text[]) as asked (project_id, device_class, id)`;
}
