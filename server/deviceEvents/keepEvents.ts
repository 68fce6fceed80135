import type { AlertFrame } from '#contract/deviceProtocol.ts';
import { isEventName } from '#rules/eventNames.ts';
import { isObject } from '#rules/mergePatch.ts';
import { eventPartitions } from '#server/db/devicePartitions.ts';
import { withPartitions } from '#server/db/partitions.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { CheckTime } from '#server/deviceClasses/checkTime.ts';
import type { SchemaCache } from '#server/deviceClasses/classSchemas.ts';
import type { Quarantine, Quarantined } from '#server/deviceClasses/keepQuarantine.ts';
import { type Frame, type Refusal, refuse } from '#server/deviceFrames/frames.ts';
import type { LiveEvents } from '#server/devices/liveEvents.ts';
import { GroupCommit, notYet } from '#server/pace/groupCommit.ts';
import type { Platform } from '#server/platform.ts';
import type { ConnectedDevice } from '#server/presence/connectedDevices.ts';

const itemsMax = 1_000;

type Device = Pick<ConnectedDevice, 'id' | 'projectId' | 'deviceClass'>;

export interface Event {
  id: string;
  device: Device;
  name: string;
  frame: Frame;
  ts: Date;
}

interface Parts {
  schemas: SchemaCache;
  liveEvents: LiveEvents;
  quarantine: Quarantine;
}

/** Keeps what devices say happened, of many devices by one statement. */
export class Events {
  readonly #platform: Platform;
  readonly #schemas: SchemaCache;
  readonly #liveEvents: LiveEvents;
  readonly #quarantine: Quarantine;
  readonly #batch: GroupCommit<Event, Refusal | undefined>;

  constructor(platform: Platform, { schemas, liveEvents, quarantine }: Parts) {
    this.#platform = platform;
    this.#schemas = schemas;
    this.#liveEvents = liveEvents;
    this.#quarantine = quarantine;
    this.#batch = new GroupCommit({ run: events => this.#keepAll(events), itemsMax, patient: true });
  }

  /** Resolves when it is kept: then it may be acknowledged. */
  take(device: Device, name: string, frame: Frame): Promise<Refusal | undefined> | Refusal {
    if (!isEventName(name)) return refuse('INVALID_NAME');
    const ts = this.#platform.clock();
    return this.#batch.add({ id: this.#platform.newId('evt', ts), device, name, frame, ts });
  }

  stop(): Promise<void> {
    return this.#batch.stop();
  }

  async #keepAll(events: Event[]): Promise<(Refusal | typeof notYet | undefined)[]> {
    const { db } = this.#platform;
    const schemasOf = await this.#schemas.of(
      db,
      events.map(({ device }) => device),
    );
    const time = new CheckTime();
    const checked = events.map(event => {
      const { events: schemas } = schemasOf(event.device);
      const schema = schemas && Object.hasOwn(schemas, event.name) ? schemas[event.name] : undefined;
      if (schema === undefined) return { event, faults: [] };
      const { projectId } = event.device;
      if (time.isOver(projectId)) return { event, faults: undefined };
      return { event, faults: time.check(projectId, schema, event.frame.value) };
    });
    const fit = checked.filter(({ faults }) => faults?.length === 0).map(({ event }) => event);
    const broken = checked.flatMap(({ event, faults }) =>
      faults && faults.length > 0 ? [quarantined(event, faults)] : [],
    );
    await withPartitions(this.#platform, [eventPartitions], () => this.#keep(fit, broken));
    for (const event of fit)
      if (this.#liveEvents.isWatched(event.device))
        this.#liveEvents.tell(event.device, 'event', toNews(event));
    for (const message of broken) this.#liveEvents.quarantined(message);
    return checked.map(({ faults }) => {
      if (faults === undefined) return notYet;
      return faults.length === 0 ? undefined : { ...refuse('SCHEMA_BROKEN'), faults };
    });
  }

  /** Most batches are one statement; what belongs to its event is kept with it or not at all. */
  async #keep(events: Event[], broken: Quarantined[]): Promise<void> {
    const { db } = this.#platform;
    if (!events.some(event => alertOf(event)) && broken.length === 0) return addEvents(db, events);
    await db.tx(async tx => {
      await addEvents(tx, events);
      await addAlerts(tx, events);
      await this.#quarantine.keep(tx, broken);
    });
  }
}

/** A batch that is tried again keeps nothing twice: every event has its id before the first try. */
export async function addEvents(db: Db, events: Event[]): Promise<void> {
  if (events.length === 0) return;
  await db.run(sql`
    insert into device_events (project_id, device_id, ts, id, name, payload)
    select project_id, device_id, ts, id, name, payload::json from unnest(
      ${events.map(({ device }) => device.projectId)}::text[], ${events.map(({ device }) => device.id)}::text[],
      ${events.map(({ ts }) => ts)}::timestamptz[], ${events.map(({ id }) => id)}::text[],
      ${events.map(({ name }) => name)}::text[], ${events.map(({ frame }) => frame.text)}::text[]
    ) as e (project_id, device_id, ts, id, name, payload)
    on conflict do nothing`);
}

/** An alert's id is its event's, as an alert. */
export async function addAlerts(db: Db, all: Event[]): Promise<void> {
  const events = all.filter(event => alertOf(event));
  if (events.length === 0) return;
  await db.run(sql`
    insert into alerts (project_id, id, device_id, ts, severity, text, event)
    select * from unnest(
      ${events.map(({ device }) => device.projectId)}::text[], ${events.map(({ id }) => id.replace('evt', 'alr'))}::text[],
      ${events.map(({ device }) => device.id)}::text[], ${events.map(({ ts }) => ts)}::timestamptz[],
      ${events.map(event => alertOf(event)?.severity)}::text[], ${events.map(event => alertOf(event)?.text)}::text[],
      ${events.map(({ name }) => name)}::text[])
    on conflict do nothing`);
}

/** Of which form it is was seen when the message was read. */
function alertOf({ frame: { value } }: Event): AlertFrame | undefined {
  return isObject(value) ? (value._alert as AlertFrame | undefined) : undefined;
}

function quarantined(event: Event, faults: Quarantined['faults']): Quarantined {
  const { device, name, frame, ts, id } = event;
  const { projectId, deviceClass, id: deviceId } = device;
  return {
    id: id.replace('evt', 'qrt'),
    projectId,
    deviceClass,
    deviceId,
    kind: 'event',
    name,
    text: frame.text,
    faults,
    ts,
  };
}

function toNews(event: Event): unknown {
  const { id, ts, name, frame } = event;
  const alert = alertOf(event);
  return { id, ts: ts.toISOString(), name, payload: frame.value, ...(alert && { alert }) };
}
