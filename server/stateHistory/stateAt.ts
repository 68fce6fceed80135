import { mergePatch } from '#rules/mergePatch.ts';
import { type Db, sql } from '#server/db/sql.ts';

type JsonObject = Record<string, unknown>;

/** Their changes are in memory together. */
const devicesAtOnce = 200;

/** The reported states of devices at a moment of the last seven days: those of now, with what changed since undone. */
export async function statesAt(
  db: Db,
  projectId: string,
  deviceIds: readonly string[],
  at: Date,
): Promise<Map<string, JsonObject>> {
  const states = new Map<string, JsonObject>();
  for (let first = 0; first < deviceIds.length; first += devicesAtOnce) {
    const ids = deviceIds.slice(first, first + devicesAtOnce);
    const rows = await db.many<{ id: string; reported: JsonObject; undos: JsonObject[] | null }>(sql`
      select s.device_id as id, s.reported, (
        select json_agg(c.undo order by c.seq desc) from state_reports c
        where c.project_id = s.project_id and c.device_id = s.device_id and c.ts > ${at} and c.undo is not null) as undos
      from device_states s where s.project_id = ${projectId} and s.device_id = any(${ids})`);
    for (const { id, reported, undos } of rows) states.set(id, patched(reported, undos ?? []));
  }
  return states;
}

function patched(state: JsonObject, patches: readonly JsonObject[]): JsonObject {
  // A patch that is an object leaves an object.
  return patches.reduce((before, patch) => mergePatch(before, patch) as JsonObject, state);
}

/** What of a device is asked about: its event with this number. */
export interface PastMoment {
  deviceId: string;
  ts: Date;
  /** Of `event_numbers`, as the driver gives it. */
  seq: string;
}

interface Known {
  state: JsonObject;
  /** The last change that is in the state. */
  seq: bigint;
  /** Changes from before are in the state. */
  ts: Date;
}

const statesMax = 20_000;
/** Times of two servers differ by less. */
const clocksApartMs = 60_000;

/**
 * The states of devices as their events of the past are gone through, in order, a page at a time. Each change is read about
 * once, however many events there are.
 */
export class PastStates {
  readonly #db: Db;
  readonly #projectId: string;
  readonly #from: Date;
  readonly #known = new Map<string, Known>();

  /** `from`: before the first event. */
  constructor(db: Db, projectId: string, from: Date) {
    this.#db = db;
    this.#projectId = projectId;
    this.#from = from;
  }

  /** The state of the device just before each event. Events of a device must follow those of the page before. */
  async before(page: readonly PastMoment[]): Promise<JsonObject[]> {
    const byDevice = Map.groupBy(page, ({ deviceId }) => deviceId);
    await this.#begin([...byDevice.keys()]);
    const changes = await this.#changesIn(byDevice);
    const states = new Map<PastMoment, JsonObject>();
    for (const [deviceId, moments] of byDevice) {
      const known = this.#known.get(deviceId);
      if (!known) continue;
      const waiting = changes.get(deviceId) ?? [];
      for (const moment of moments) {
        while (waiting[0] && BigInt(waiting[0].seq) < BigInt(moment.seq)) {
          const { seq, patch, ts } = waiting.shift() as Change;
          Object.assign(known, { state: patched(known.state, [patch]), seq: BigInt(seq), ts });
        }
        states.set(moment, known.state);
      }
    }
    return page.map(moment => states.get(moment) ?? {});
  }

  /** The states at the begin, of devices that are asked about for the first time. */
  async #begin(deviceIds: readonly string[]): Promise<void> {
    // A device that comes again begins anew.
    if (this.#known.size > statesMax) this.#known.clear();
    const others = deviceIds.filter(id => !this.#known.has(id));
    const states = await statesAt(this.#db, this.#projectId, others, this.#from);
    for (const [id, state] of states) this.#known.set(id, { state, seq: 0n, ts: this.#from });
  }

  async #changesIn(byDevice: ReadonlyMap<string, readonly PastMoment[]>): Promise<Map<string, Change[]>> {
    const asked = [...byDevice].flatMap(([deviceId, moments]) => {
      const [known, last] = [this.#known.get(deviceId), moments.at(-1)];
      return known && last ? [{ deviceId, known, last }] : [];
    });
    const until = (ts: Date) => new Date(ts.getTime() + clocksApartMs);
    const since = (ts: Date) => new Date(Math.max(this.#from.getTime(), ts.getTime() - clocksApartMs));
    const rows = await this.#db.many<Change>(sql`
      select c.device_id as "deviceId", c.seq, c.patch, c.ts from unnest(
        ${asked.map(({ deviceId }) => deviceId)}::text[], ${asked.map(({ known }) => since(known.ts))}::timestamptz[],
        ${asked.map(({ last }) => until(last.ts))}::timestamptz[], ${asked.map(({ known }) => known.seq)}::bigint[],
        ${asked.map(({ last }) => last.seq)}::bigint[]) as a (device_id, since, until, after_seq, before_seq)
      cross join lateral (
        select * from state_reports s
        where s.project_id = ${this.#projectId} and s.device_id = a.device_id and s.ts > a.since and s.ts <= a.until
          and s.patch is not null and s.seq > a.after_seq and s.seq < a.before_seq) c
      order by c.seq`);
    return Map.groupBy(rows, ({ deviceId }) => deviceId);
  }
}

interface Change {
  deviceId: string;
  seq: string;
  patch: JsonObject;
  ts: Date;
}
