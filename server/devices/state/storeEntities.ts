import type { EntityFrame } from '#contract/deviceProtocol.ts';
import { type Frame, type Refusal, refuse } from '#server/classes/frames/frames.ts';
import type { ConnectedDevice } from '#server/devices/presence/connectedDevices.ts';
import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { lockStates } from './stateStore.ts';

const itemsMax = 100;

type Device = Pick<ConnectedDevice, 'id' | 'projectId'>;

interface Said {
  device: Device;
  entities: EntityFrame[];
}

/** Stores the entities that devices report, replacing the previous list. */
export class Entities {
  readonly #batch: GroupCommit<Said, Refusal | undefined>;

  constructor({ db }: Pick<Platform, 'db'>) {
    this.#batch = new GroupCommit({
      name: 'entities',
      run: async all => {
        const last = new Map(all.map(said => [said.device.id, said]));
        const there = await db.tx(tx => replaceEntities(tx, [...last.values()]));
        return all.map(({ device }) =>
          there.has(device.id) ? undefined : refuse('NOT_KEPT', 'The device was deleted.'),
        );
      },
      itemsMax,
      patient: true,
    });
  }

  async take(device: Device, { value }: Frame): Promise<Refusal | undefined> {
    const entities = value as EntityFrame[];
    if (new Set(entities.map(({ name }) => name)).size < entities.length)
      return refuse('INVALID_FIELDS', 'Two entities have the same name.');
    return this.#batch.add({ device, entities });
  }

  stop(): Promise<void> {
    return this.#batch.stop();
  }
}

/** Locks the row of the state, so that two concurrent reports are applied one after the other. */
async function replaceEntities(db: Db, all: Said[]): Promise<{ has(deviceId: string): boolean }> {
  const there = await lockStates(
    db,
    all.map(({ device }) => device),
  );
  const kept = all.filter(({ device }) => there.has(device.id));
  await db.run(sql`
    delete from device_entities e using unnest(
      ${kept.map(({ device }) => device.projectId)}::text[], ${kept.map(({ device }) => device.id)}::text[]
    ) as said (project_id, device_id)
    where e.project_id = said.project_id and e.device_id = said.device_id`);
  const rows = kept.flatMap(({ device, entities }) => entities.map(entity => ({ device, entity })));
  await db.run(sql`
    insert into device_entities (project_id, device_id, name, class, state)
    select project_id, device_id, name, class, state::jsonb from unnest(
      ${rows.map(({ device }) => device.projectId)}::text[], ${rows.map(({ device }) => device.id)}::text[],
      ${rows.map(({ entity }) => entity.name)}::text[], ${rows.map(({ entity }) => entity.class)}::text[],
      ${rows.map(({ entity }) => (entity.state === undefined ? null : JSON.stringify(entity.state)))}::text[]
    ) as e (project_id, device_id, name, class, state)`);
  return there;
}
