import { describe, expect, it } from 'vitest';
import {
  createDeviceView,
  type DeviceViewQuery,
  deleteDeviceView,
  editDeviceView,
  listDeviceViews,
  viewsMax,
} from '#contract/deviceView.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

const save = (name: string, query: DeviceViewQuery = {}, projectId = at.projectId) =>
  at.owner.client.call(createDeviceView, { body: { projectId, name, query } });
const views = () => at.owner.client.call(listDeviceViews, { query: { projectId: at.projectId } });

describe('a view of the device list', () => {
  it('is what the list was asked for, under a name, for the whole team', async () => {
    const query = { state: 'disconnected', claimed: true, search: 'oslo', sortBy: 'lastSeen:desc' } as const;
    const saved = await save('Away in Oslo', query);
    expect(saved).toMatchObject({ name: 'Away in Oslo', query, revision: 1 });
    expect(await views()).toContainEqual(saved);
    const params = { viewId: saved.id };
    const edited = await at.owner.client.call(editDeviceView, { params, body: { query: {} } });
    expect(edited).toMatchObject({ name: 'Away in Oslo', query: {}, revision: 2 });
    await at.owner.client.call(deleteDeviceView, { params });
    expect(await views()).not.toContainEqual(edited);
    await failing(at.owner.client.call(deleteDeviceView, { params }), 'VIEW_NOT_FOUND');
  });

  it('has a name that no other has, however it is written', async () => {
    await save('Flapping');
    const other = await save('Quiet');
    await failing(save('FLAPPING'), 'NAME_TAKEN');
    const rename = at.owner.client.call(editDeviceView, {
      params: { viewId: other.id },
      body: { name: 'flapping' },
    });
    await failing(rename, 'NAME_TAKEN');
  });

  it('asks for nothing that the list does not know', async () => {
    const nonsense = (query: object) => save('Nonsense', query as DeviceViewQuery);
    await failing(nonsense({ state: 'asleep' }), 'INVALID_FIELDS');
    await failing(nonsense({ sortBy: 'price:asc' }), 'INVALID_FIELDS');
    await failing(nonsense({ page: '2' }), 'UNKNOWN_FIELD');
  });

  it('is one of fifty at most', async () => {
    const { id } = await at.world.aProject(at.owner);
    await at.world.platform.db.run(sql`
      insert into device_views (project_id, id, name, query, created_at)
      select ${id}, 'dvw_' || n, 'view ' || n, '{}', now() from generate_series(1, ${viewsMax}) n`);
    await failing(save('One more', {}, id), 'TOO_MANY_VIEWS');
  });
});
