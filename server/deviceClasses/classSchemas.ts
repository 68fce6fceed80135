import type { DeviceClass } from '#contract/deviceClass.ts';
import { type Db, sql } from '#server/db/sql.ts';

/** How long a class may have another schema than the one a message is checked against. */
const freshMs = 1_000;
const classesMax = 2_000;

/** What the messages of a class must look like. */
export interface ClassSchemas {
  revision: number;
  /** One that was deleted and made anew counts its revisions from the beginning. */
  createdAt: Date;
  state: DeviceClass['stateSchema'] | null;
  events: DeviceClass['eventSchemas'] | null;
}

interface Row extends ClassSchemas {
  projectId: string;
  id: string;
}

export interface OfClass {
  projectId: string;
  deviceClass: string;
}

/**
 * The schemas of the classes whose devices send, read anew about once a second. One that did not change stays the same
 * object, by which it is known that it is compiled already.
 */
export class SchemaCache {
  readonly #known = new Map<string, { schemas: ClassSchemas; readMs: number }>();

  /** Answers how to find those of each class. */
  async of(db: Db, devices: readonly OfClass[]): Promise<(device: OfClass) => ClassSchemas> {
    const nowMs = performance.now();
    const stale = new Map<string, OfClass>();
    for (const device of devices) {
      const key = keyOf(device);
      const known = this.#known.get(key);
      if (!known || nowMs - known.readMs > freshMs) stale.set(key, device);
    }
    if (stale.size > 0) await this.#read(db, [...stale.values()], nowMs);
    return device => this.#known.get(keyOf(device))?.schemas ?? none;
  }

  async #read(db: Db, classes: OfClass[], nowMs: number): Promise<void> {
    const rows = await db.many<Row>(sql`
      select c.project_id as "projectId", c.id, c.revision, c.created_at as "createdAt", c.state_schema as state, c.event_schemas as events
      from unnest(${classes.map(one => one.projectId)}::text[], ${classes.map(one => one.deviceClass)}::text[])
        as asked (project_id, id)
      join device_classes c on c.project_id = asked.project_id and c.id = asked.id`);
    for (const { projectId, id, ...schemas } of rows) {
      const key = keyOf({ projectId, deviceClass: id });
      const known = this.#known.get(key)?.schemas;
      // Put in anew it is the youngest; the oldest makes room.
      this.#known.delete(key);
      this.#known.set(key, {
        schemas: known && isSame(known, schemas) ? known : schemas,
        readMs: nowMs,
      });
      if (this.#known.size > classesMax) this.#known.delete(this.#known.keys().next().value ?? '');
    }
  }
}

const none: ClassSchemas = { revision: 0, createdAt: new Date(0), state: null, events: null };

const isSame = (a: ClassSchemas, b: ClassSchemas) =>
  a.revision === b.revision && a.createdAt.getTime() === b.createdAt.getTime();

function keyOf({ projectId, deviceClass }: OfClass): string {
  return `${projectId} ${deviceClass}`;
}
