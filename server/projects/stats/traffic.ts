import type { TrafficKind } from '#contract/stats.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { Gathering } from '#server/infra/pace/gathering.ts';
import { dayText, hourText } from '#server/infra/pace/hourText.ts';
import type { Platform } from '#server/infra/platform.ts';

declare module '#server/infra/platform.ts' {
  interface Platform {
    traffic: Traffic;
  }
}

/** The messages of a class's devices. */
export interface MessageSum {
  projectId: string;
  deviceClass: string;
  in: number;
  out: number;
  bytes: number;
}

/** Counts the calls and messages of projects by day, and messages also by hour and class. */
export class Traffic {
  readonly #platform: Pick<Platform, 'db' | 'clock' | 'log'>;
  readonly #days: Gathering<{ count: number }>;
  readonly #hours: Gathering<Pick<MessageSum, 'in' | 'out'>>;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'log'>) {
    const { db, log } = platform;
    this.#platform = platform;
    this.#days = new Gathering({
      name: 'traffic',
      log,
      store: counts => addDays(db, counts),
      make: () => ({ count: 0 }),
      add: (earlier, later) => ({ count: earlier.count + later.count }),
    });
    this.#hours = new Gathering({
      name: 'messages by hour',
      log,
      store: sums => addHours(db, sums),
      make: () => ({ in: 0, out: 0 }),
      add: (earlier, later) => ({ in: earlier.in + later.in, out: earlier.out + later.out }),
    });
  }

  count(projectId: string, kind: TrafficKind, by = 1): void {
    const day = dayText(this.#platform.clock());
    this.#days.of(`${projectId} ${day} ${kind}`).count += by;
  }

  countMessages({ projectId, deviceClass, ...sums }: MessageSum): void {
    if (sums.in > 0) this.count(projectId, 'deviceMessagesIn', sums.in);
    if (sums.out > 0) this.count(projectId, 'deviceMessagesOut', sums.out);
    this.count(projectId, 'bytes', sums.bytes);
    const hour = hourText(this.#platform.clock());
    const counted = this.#hours.of(`${projectId} ${deviceClass} ${hour}`);
    counted.in += sums.in;
    counted.out += sums.out;
  }

  async flush(): Promise<void> {
    await Promise.all([this.#days.flush(), this.#hours.flush()]);
  }
}

/** Counts messages at their given times, as if they had arrived then, for sample devices. */
export async function countPastMessages(
  db: Db,
  messages: readonly { projectId: string; deviceClass: string; at: Date }[],
): Promise<void> {
  const grouped = (key: (message: (typeof messages)[number], at: string) => string) => [
    ...Map.groupBy(messages, message => key(message, message.at.toISOString())),
  ];
  const days = grouped(({ projectId }, at) => `${projectId} ${at.slice(0, 10)} deviceMessagesIn`);
  const hours = grouped(
    ({ projectId, deviceClass }, at) => `${projectId} ${deviceClass} ${at.slice(0, 13)}:00Z`,
  );
  await addDays(db, new Map(days.map(([key, { length }]) => [key, { count: length }])));
  await addHours(db, new Map(hours.map(([key, { length }]) => [key, { in: length, out: 0 }])));
}

/** Only for projects that still exist: what is written after the deletion of a project would stay for ever. */
const ofLiving = sql`join projects p on p.id = c.project_id and p.deleted_at is null for key share of p`;

async function addDays(db: Db, counts: Map<string, { count: number }>): Promise<void> {
  const keys = partsOf(counts);
  await db.run(sql`
    insert into traffic_counters (project_id, day, kind, count)
    select c.* from unnest(
      ${keys.map(([projectId]) => projectId)}::text[], ${keys.map(([, day]) => day)}::date[],
      ${keys.map(([, , kind]) => kind)}::text[], ${[...counts.values()].map(({ count }) => count)}::bigint[])
      as c (project_id, day, kind, count)
    ${ofLiving}
    on conflict (project_id, day, kind) do update set count = traffic_counters.count + excluded.count`);
}

async function addHours(db: Db, hours: Map<string, Pick<MessageSum, 'in' | 'out'>>): Promise<void> {
  const keys = partsOf(hours);
  const values = [...hours.values()];
  await db.run(sql`
    insert into message_hours as m (project_id, device_class, hour, incoming, outgoing)
    select c.* from unnest(
      ${keys.map(([projectId]) => projectId)}::text[], ${keys.map(([, deviceClass]) => deviceClass)}::text[],
      ${keys.map(([, , hour]) => hour)}::timestamptz[],
      ${values.map(sums => sums.in)}::bigint[], ${values.map(({ out }) => out)}::bigint[])
      as c (project_id, device_class, hour, incoming, outgoing)
    ${ofLiving}
    on conflict (project_id, device_class, hour) do update set
      incoming = m.incoming + excluded.incoming, outgoing = m.outgoing + excluded.outgoing`);
}

const partsOf = (counts: Map<string, unknown>) => [...counts.keys()].map(key => key.split(' '));
