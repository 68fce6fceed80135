import type { AlertFrame } from '#contract/deviceProtocol.ts';
import { isEventName } from '#rules/eventNames.ts';
import { isObject } from '#rules/json/mergePatch.ts';
import { retentionDays } from '#rules/time/retention.ts';
import {
  CheckedMessages,
  type Checking,
  type DeviceMessage,
  type Outcome,
  type SchemaCheck,
} from '#server/classes/deviceClasses/checkedMessages.ts';
import { checkAgainst } from '#server/classes/deviceClasses/schemas.ts';
import { type Frame, type Refusal, refuse } from '#server/classes/frames/frames.ts';
import type { AlertReport } from '#server/devices/alerts/alertReports.ts';
import { publishAlerts } from '#server/devices/alerts/publishAlerts.ts';
import { storeAlerts } from '#server/devices/alerts/storeAlerts.ts';
import type { LiveEvents } from '#server/devices/devices/liveEvents.ts';
import { notYet } from '#server/infra/db/groupCommit.ts';
import { type Partitioned, withPartitions } from '#server/infra/db/maintainPartitions.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { EventHours } from './eventHours.ts';

export const eventPartitions: Partitioned = {
  table: 'device_events',
  by: 'week',
  keptDays: retentionDays.deviceMessages,
};

const itemsMax = 1_000;

export interface Event extends DeviceMessage {
  name: string;
}

/** Stores events of many devices with one statement. */
export class Events {
  readonly #platform: Platform;
  readonly #liveEvents: LiveEvents;
  readonly #messages: CheckedMessages<Event>;
  readonly #hours: EventHours;

  constructor(platform: Platform, checking: Checking & { liveEvents: LiveEvents }) {
    this.#hours = new EventHours(platform);
    this.#platform = platform;
    this.#liveEvents = checking.liveEvents;
    this.#messages = new CheckedMessages(platform, checking, {
      kind: 'event',
      itemsMax,
      schemaOf: ({ events }, { name }) => (events && Object.hasOwn(events, name) ? events[name] : undefined),
      store: (events, begin) => this.#storeAll(events, begin()),
    });
  }

  take(device: Event['device'], name: string, frame: Frame): Promise<Refusal | undefined> | Refusal {
    if (!isEventName(name)) return refuse('INVALID_NAME');
    const ts = this.#platform.clock();
    return this.#messages.take({ id: this.#platform.newId('evt', ts), device, name, frame, ts });
  }

  async stop(): Promise<void> {
    await this.#messages.stop();
    await this.#hours.flush();
  }

  async #storeAll(events: Event[], check: SchemaCheck<Event>) {
    const outcomes = events.map((event): Outcome => {
      const schema = check.schemaOf(event);
      if (schema === undefined) return undefined;
      return check.isOver(event)
        ? notYet
        : check.refusalOf(event, () => checkAgainst(schema, event.frame.value));
    });
    const fit = events.filter((_, at) => outcomes[at] === undefined);
    await withPartitions(this.#platform, [eventPartitions], () => this.#store(fit, check));
    for (const event of fit) {
      this.#hours.count(event.device, event.name);
      if (this.#liveEvents.isWatched(event.device))
        this.#liveEvents.publish(event.device, 'event', toNews(event));
    }
    return { outcomes, broken: check.broken };
  }

  /** One statement for most batches, so an event and its alert are stored together or not at all. */
  async #store(events: Event[], check: SchemaCheck<Event>): Promise<void> {
    const { db } = this.#platform;
    if (!events.some(event => alertOf(event)) && check.broken.length === 0) {
      await addEvents(db, events);
      return;
    }
    await db.tx(async tx => {
      await addAlerts(tx, this.#platform, await addEvents(tx, events));
      await check.storeBroken(tx);
    });
    const raising = events.filter(event => alertOf(event));
    for (const { device } of raising) publishAlerts(this.#platform, device.projectId);
  }
}

/**
 * Retrying a batch stores nothing twice: ids are assigned before the first attempt. Returns the events that were new.
 */
export async function addEvents(db: Db, events: Event[]): Promise<Event[]> {
  if (events.length === 0) return [];
  const added = await db.many<{ id: string }>(sql`
    insert into device_events (project_id, device_id, ts, id, name, payload)
    select project_id, device_id, ts, id, name, payload::json from unnest(
      ${events.map(({ device }) => device.projectId)}::text[], ${events.map(({ device }) => device.id)}::text[],
      ${events.map(({ ts }) => ts)}::timestamptz[], ${events.map(({ id }) => id)}::text[],
      ${events.map(({ name }) => name)}::text[], ${events.map(({ frame }) => frame.text)}::text[]
    ) as e (project_id, device_id, ts, id, name, payload)
    on conflict do nothing returning id`);
  if (added.length === events.length) return events;
  const ids = new Set(added.map(({ id }) => id));
  return events.filter(({ id }) => ids.has(id));
}

/** Stores the alerts that these events raise or resolve. An alert without a key gets the name of the event. */
export async function addAlerts(db: Db, platform: Pick<Platform, 'newId'>, events: Event[]): Promise<void> {
  await storeAlerts(db, platform, events.flatMap(reportIn));
}

function reportIn(event: Event): AlertReport[] {
  const alert = alertOf(event);
  if (!alert) return [];
  const { id: eventId, device, name, ts } = event;
  const source = { kind: 'device', eventId, event: name } as const;
  const of = { projectId: device.projectId, deviceId: device.id, key: alert.key ?? name, source, ts };
  if (alert.resolved) return [{ ...of, resolved: true, text: alert.text ?? '' }];
  return [{ ...of, resolved: false, severity: alert.severity, text: alert.text }];
}

/** Its shape was validated when the message was parsed. */
function alertOf({ frame: { value } }: Event): AlertFrame | undefined {
  return isObject(value) ? (value._alert as AlertFrame | undefined) : undefined;
}

function toNews(event: Event): unknown {
  const { id, ts, name, frame } = event;
  const alert = alertOf(event);
  return { id, ts: ts.toISOString(), name, payload: frame.value, ...(alert && !alert.resolved && { alert }) };
}
