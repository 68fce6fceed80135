import { isOfKey } from '#server/devices/log/rejectionWords.ts';
import { type Db, join, raw, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { gapOf, rhythmColumns, rhythmSets } from './rhythm.ts';

/** Delays before marks are written; those of messages are written less often. */
const writeMs = { soon: 500, messages: 10_000 };
const rowsMax = 1_000;
/** Texts chosen by a device are truncated to this length. */
const textMax = 200;

interface Mark {
  last_message_at?: Date;
  key_rejected_at?: Date;
  key_rejected_reason?: string;
  rejected_at?: Date;
  rejected_reason?: string;
  limited_at?: Date;
  message_refused_at?: Date;
  message_refused_topic?: string;
  message_refused_text?: string;
  subscription_refused_at?: Date;
  subscription_refused_filter?: string;
}

const columns: Record<keyof Mark, 'timestamptz' | 'text'> = {
  last_message_at: 'timestamptz',
  key_rejected_at: 'timestamptz',
  key_rejected_reason: 'text',
  rejected_at: 'timestamptz',
  rejected_reason: 'text',
  limited_at: 'timestamptz',
  message_refused_at: 'timestamptz',
  message_refused_topic: 'text',
  message_refused_text: 'text',
  subscription_refused_at: 'timestamptz',
  subscription_refused_filter: 'text',
};

interface Who {
  projectId: string;
  id: string;
}

/**
 * Buffers marks next to a device's presence and writes them in batches, because a message must not cost a
 * write. A crash loses the last few.
 */
export class PresenceMarks {
  readonly #platform: Pick<Platform, 'db' | 'clock' | 'log'>;
  #marks = new Map<string, { projectId: string; deviceId: string; mark: Mark }>();
  #timer: NodeJS.Timeout | undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  #writtenMs = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> = Promise.resolve();

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'log'>) {
    this.#platform = platform;
  }

  message(device: Who, at: Date): void {
    this.#of(device).last_message_at = at;
    this.#writeWithMessages();
  }

  /**
   * A message was rejected. Only the first one is written quickly, because a faulty device may send nothing
   * else.
   */
  messageRefused(
    device: Who,
    { at, topic, text }: { at: Date; topic: string; text: string },
    isFirst: boolean,
  ): void {
    Object.assign(this.#of(device), {
      message_refused_at: at,
      message_refused_topic: topic.slice(0, textMax),
      message_refused_text: text.slice(0, textMax),
    });
    if (isFirst) this.#writeIn(writeMs.soon);
    else this.#writeWithMessages();
  }

  subscriptionRefused(device: Who, filter: string, isFirst: boolean): void {
    Object.assign(this.#of(device), {
      subscription_refused_at: this.#platform.clock(),
      subscription_refused_filter: filter.slice(0, textMax),
    });
    if (isFirst) this.#writeIn(writeMs.soon);
    else this.#writeWithMessages();
  }

  rejected(device: Who, reason: string): void {
    const at = this.#platform.clock();
    Object.assign(
      this.#of(device),
      isOfKey(reason)
        ? { key_rejected_at: at, key_rejected_reason: reason }
        : { rejected_at: at, rejected_reason: reason },
    );
    this.#writeIn(writeMs.soon);
  }

  limited(device: Who): void {
    this.#of(device).limited_at = this.#platform.clock();
    this.#writeIn(writeMs.soon);
  }

  /** Writes all buffered marks. */
  write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.#writtenMs = performance.now();
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  #of({ projectId, id }: Who): Mark {
    const known = this.#marks.get(id);
    if (known) return known.mark;
    const mark: Mark = {};
    this.#marks.set(id, { projectId, deviceId: id, mark });
    return mark;
  }

  #writeWithMessages(): void {
    const leftMs = this.#writtenMs + writeMs.messages - performance.now();
    this.#writeIn(Math.max(writeMs.soon, leftMs));
  }

  #writeIn(ms: number): void {
    const dueMs = performance.now() + ms;
    if (dueMs >= this.#dueMs) return;
    this.#dueMs = dueMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.write(), ms);
  }

  async #writeAll(): Promise<void> {
    const marked = [...this.#marks.values()];
    this.#marks = new Map();
    for (let i = 0; i < marked.length; i += rowsMax) {
      // Marks only show when something last happened, so a failed write is made up for by the next message.
      await writeMarks(this.#platform.db, marked.slice(i, i + rowsMax)).catch(error =>
        this.#platform.log('warn', 'The last-message times of devices could not be stored', {
          error: String(error),
        }),
      );
    }
  }
}

/** In the order in which presence rows are locked, to avoid deadlocks. */
async function writeMarks(
  db: Db,
  marked: { projectId: string; deviceId: string; mark: Mark }[],
): Promise<void> {
  // Most batches contain only message times, so unused columns are left out of the statement.
  const given = (Object.keys(columns) as (keyof Mark)[]).filter(name =>
    marked.some(({ mark }) => mark[name] !== undefined),
  );
  const values = given.map(
    name => sql`${marked.map(({ mark }) => mark[name] ?? null)}::${raw(columns[name])}[]`,
  );
  const sets = given.map(name => {
    const column = raw(name);
    // Two gateways may write marks of one device: the later time wins.
    return name === 'last_message_at'
      ? sql`${column} = greatest(s.${column}, m.${column})`
      : sql`${column} = coalesce(m.${column}, s.${column})`;
  });
  if (given.includes('last_message_at')) sets.push(...rhythmSets);
  await db.run(sql`
    with m as (
      select * from unnest(
        ${marked.map(({ projectId }) => projectId)}::text[], ${marked.map(({ deviceId }) => deviceId)}::text[],
        ${join(values)}) as m (project_id, device_id, ${raw(given.join(', '))})),
    locked as (
      select s.project_id, s.device_id, ${rhythmColumns} from device_presence s
      join m on m.project_id = s.project_id and m.device_id = s.device_id
      order by s.device_id for update of s),
    l as (
      select l.*, ${given.includes('last_message_at') ? gapOf : sql`null`} as gap
      from locked l join m on m.project_id = l.project_id and m.device_id = l.device_id)
    update device_presence s set ${join(sets)}
    from l join m on m.project_id = l.project_id and m.device_id = l.device_id
    where s.project_id = l.project_id and s.device_id = l.device_id`);
}
