import type { DeviceClass } from '#contract/deviceClass.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** How long a message may be validated against an outdated version of its class's schemas. */
const freshMs = 1_000;
const classesMax = 2_000;

export interface ClassSchemas {
  revision: number;
  /** Compared as well because a class that was deleted and created again restarts its revisions. */
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
 * Cache of the schemas of active classes, refreshed about once a second. An unchanged schema remains the same
 * object, so its compiled form can be found by identity.
 */
export class SchemaCache {
  readonly #known = new Map<string, { schemas: ClassSchemas; readMs: number }>();

  /** Returns a function that finds the schemas of a class. */
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
      // Reinserting keeps the map in order of use (LRU); the least recently used entry is evicted.
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
