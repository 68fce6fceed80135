import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { ModuleType, OpenModule } from '#server/modules/smartModules/moduleType.ts';
import { moduleColumns, openModule, type StoredModule } from '#server/modules/smartModules/store.ts';

/** A module in the form the dispatcher uses. */
export interface KnownModule {
  module: OpenModule;
  type: ModuleType;
  /** The module receives events after this transaction. */
  sinceTx: bigint;
  isParked: boolean;
  /** In lower case; undefined for all names. */
  names: ReadonlySet<string> | undefined;
  /** Undefined for all classes. */
  classes: ReadonlySet<string> | undefined;
}

type Row = StoredModule & { sinceTx: string };
type Revision = Pick<StoredModule, 'projectId' | 'id' | 'revision' | 'createdAt'>;

export const keyOf = ({ projectId, id }: { projectId: string; id: string }) => `${projectId} ${id}`;

/** The modules of a shard, opened once for each revision. */
export class ModuleRegistry {
  readonly #platform: Pick<Platform, 'db' | 'sealing' | 'log'>;
  readonly #types: ReadonlyMap<string, ModuleType>;
  readonly #shard: number;
  #stamp: string | null = '';
  #all = new Map<string, KnownModule>();
  #byProject = new Map<string, KnownModule[]>();
  #list: readonly KnownModule[] = [];
  #receivingTypes: ReadonlySet<ModuleType> = new Set();
  /** Average number of modules per event recently; at least one. */
  matchesPerEvent = 1;
  /** How many events a step can use, according to the states of the devices of the last one. */
  eventsWithin = 5_000;

  constructor(
    platform: Pick<Platform, 'db' | 'sealing' | 'log'>,
    { types, shard }: { types: readonly ModuleType[]; shard: number },
  ) {
    this.#platform = platform;
    this.#types = new Map(types.map(type => [type.id, type]));
    this.#shard = shard;
  }

  /** Identifies the set of modules in the snapshot of a statement: a different text means that modules have changed. */
  get stamp() {
    return sql`(select coalesce(sum(changes), 0)::text from module_changes where shard = ${this.#shard})`;
  }

  isCurrent(stamp: string | null): boolean {
    return stamp === this.#stamp;
  }

  /** The types of modules that receive events. */
  get types(): ReadonlySet<ModuleType> {
    return this.#receivingTypes;
  }

  /** Projects with modules that receive events. */
  get projectIds(): string[] {
    return [...this.#byProject.keys()];
  }

  /** No module receives events before this transaction. */
  get leastTx(): bigint | undefined {
    return [...this.#byProject.values()]
      .flat()
      .reduce<bigint | undefined>(
        (least, { sinceTx }) => (least === undefined || sinceTx < least ? sinceTx : least),
        undefined,
      );
  }

  /** A new array after each read. */
  get all(): readonly KnownModule[] {
    return this.#list;
  }

  find(projectId: string, moduleId: string): KnownModule | undefined {
    return this.#all.get(keyOf({ projectId, id: moduleId }));
  }

  receiving(projectId: string): readonly KnownModule[] {
    return this.#byProject.get(projectId) ?? [];
  }

  async read(db: Db = this.#platform.db): Promise<void> {
    const rows = await db.many<Revision & { stamp: string }>(sql`
      select s.project_id as "projectId", s.id, s.revision, s.created_at as "createdAt", stamped.stamp
      from (select ${this.stamp} as stamp) stamped left join smart_modules s on module_shard(s.project_id) = ${this.#shard}`);
    const there = rows.filter(({ id }) => id !== null);
    const changed = await this.#readChanged(db, there);
    const all = new Map<string, KnownModule>();
    const byProject = new Map<string, KnownModule[]>();
    for (const { projectId, id } of there) {
      const key = keyOf({ projectId, id });
      const known = changed.has(key) ? changed.get(key) : this.#all.get(key);
      if (!known) continue;
      all.set(key, known);
      if (!known.type.takesEvents || known.module.suspended) continue;
      const others = byProject.get(projectId);
      if (others) others.push(known);
      else byProject.set(projectId, [known]);
    }
    this.#stamp = rows[0]?.stamp ?? null;
    this.#all = all;
    this.#byProject = byProject;
    this.#list = [...all.values()];
    this.#receivingTypes = new Set([...byProject.values()].flat().map(({ type }) => type));
  }

  /** The modules that are not known as they are. Only these are read: the configurations of a shard can be very large. */
  async #readChanged(
    db: Db,
    there: readonly Revision[],
  ): Promise<ReadonlyMap<string, KnownModule | undefined>> {
    const changed = there.filter(row => !isAsKnown(row, this.#all.get(keyOf(row))));
    if (changed.length === 0) return new Map();
    const rows = await db.many<Row>(sql`
      select ${moduleColumns}, s.since_tx::text as "sinceTx"
      from unnest(${changed.map(row => row.projectId)}::text[], ${changed.map(row => row.id)}::text[]) as c (project_id, id)
      join smart_modules s on s.project_id = c.project_id and s.id = c.id`);
    const found = new Map(rows.map(row => [keyOf(row), row]));
    return new Map(
      changed.map(({ projectId, id }) => {
        const row = found.get(keyOf({ projectId, id }));
        const type = row && this.#types.get(row.moduleType);
        return [keyOf({ projectId, id }), type && this.#open(row, type)];
      }),
    );
  }

  /** Undefined if its secrets cannot be read: that must not stop the others. */
  #open(row: Row, type: ModuleType): KnownModule | undefined {
    try {
      return knownModule(row, type, this.#platform);
    } catch (error) {
      const module = { projectId: row.projectId, module: row.id };
      this.#platform.log('error', 'A smart module cannot be opened', { ...module, error: String(error) });
      return undefined;
    }
  }
}

const isAsKnown = ({ revision, createdAt }: Revision, known: KnownModule | undefined) =>
  known?.module.revision === revision && known.module.createdAt.getTime() === createdAt.getTime();

export function knownModule(row: Row, type: ModuleType, platform: Pick<Platform, 'sealing'>): KnownModule {
  const { subscribedEvents, deviceClasses } = row;
  return {
    module: openModule(platform, row),
    type,
    sinceTx: BigInt(row.sinceTx),
    isParked: row.parkedAt !== null,
    names: subscribedEvents.includes('*')
      ? undefined
      : new Set(subscribedEvents.map(name => name.toLowerCase())),
    classes: deviceClasses.length > 0 ? new Set(deviceClasses) : undefined,
  };
}
