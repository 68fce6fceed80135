import { type Db, sql } from '#server/db/sql.ts';
import type { Platform } from '#server/platform.ts';

/** Marks are written so soon, those of messages no more often than this. */
const writeMs = { soon: 500, messages: 10_000 };
const rowsMax = 1_000;

interface Mark {
  projectId: string;
  deviceId: string;
  messageAt?: Date;
  rejectedAt?: Date;
  rejectedReason?: string;
  limitedAt?: Date;
}

interface Who {
  projectId: string;
  id: string;
}

/** Marks beside a device's presence, gathered: a message must not cost a write. A crash loses the last few of them. */
export class Marks {
  readonly #platform: Pick<Platform, 'db' | 'clock' | 'log'>;
  #marks = new Map<string, Mark>();
  #timer: NodeJS.Timeout | undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  #writtenMs = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> = Promise.resolve();

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'log'>) {
    this.#platform = platform;
  }

  message(device: Who, at: Date): void {
    this.#of(device).messageAt = at;
    const leftMs = this.#writtenMs + writeMs.messages - performance.now();
    this.#writeIn(Math.max(writeMs.soon, leftMs));
  }

  rejected(device: Who, reason: string): void {
    Object.assign(this.#of(device), { rejectedAt: this.#platform.clock(), rejectedReason: reason });
    this.#writeIn(writeMs.soon);
  }

  limited(device: Who): void {
    this.#of(device).limitedAt = this.#platform.clock();
    this.#writeIn(writeMs.soon);
  }

  /** Writes what is marked so far. */
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
    if (known) return known;
    const mark: Mark = { projectId, deviceId: id };
    this.#marks.set(id, mark);
    return mark;
  }

  #writeIn(ms: number): void {
    const dueMs = performance.now() + ms;
    if (dueMs >= this.#dueMs) return;
    this.#dueMs = dueMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.write(), ms);
  }

  async #writeAll(): Promise<void> {
    const marks = [...this.#marks.values()];
    this.#marks = new Map();
    for (let i = 0; i < marks.length; i += rowsMax) {
      // They show when something last happened: the next message makes up for those that could not be written.
      await writeMarks(this.#platform.db, marks.slice(i, i + rowsMax)).catch(error =>
        this.#platform.log('warn', 'The last messages of devices could not be marked', {
          error: String(error),
        }),
      );
    }
  }
}

/** In the order in which presence is locked. */
async function writeMarks(db: Db, marks: Mark[]): Promise<void> {
  await db.run(sql`
    with m as (
      select * from unnest(
        ${marks.map(mark => mark.projectId)}::text[], ${marks.map(mark => mark.deviceId)}::text[],
        ${marks.map(mark => mark.messageAt ?? null)}::timestamptz[],
        ${marks.map(mark => mark.rejectedAt ?? null)}::timestamptz[],
        ${marks.map(mark => mark.rejectedReason ?? null)}::text[],
        ${marks.map(mark => mark.limitedAt ?? null)}::timestamptz[]
      ) as m (project_id, device_id, message_at, rejected_at, rejected_reason, limited_at)),
    locked as (
      select s.project_id, s.device_id from device_presence s
      join m on m.project_id = s.project_id and m.device_id = s.device_id
      order by s.device_id for update of s)
    update device_presence s set
      last_message_at = greatest(s.last_message_at, m.message_at),
      rejected_at = coalesce(m.rejected_at, s.rejected_at),
      rejected_reason = coalesce(m.rejected_reason, s.rejected_reason),
      limited_at = coalesce(m.limited_at, s.limited_at)
    from locked join m on m.project_id = locked.project_id and m.device_id = locked.device_id
    where s.project_id = locked.project_id and s.device_id = locked.device_id`);
}
