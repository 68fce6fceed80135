import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createBundle } from '#contract/bundle.ts';
import {
  componentsMax,
  createComponent,
  deleteComponent,
  editComponent,
  listComponents,
  readComponent,
  readComponentUse,
} from '#contract/component.ts';
import {
  createComponentVersion,
  deleteComponentVersion,
  editComponentVersion,
  listComponentVersions,
  readComponentVersion,
  readVersionUse,
  versionsMax,
} from '#contract/componentVersion.ts';
import { addMember } from '#contract/team.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { aBundle, aComponent, aReadyVersion, aVersion } from '#test/versions.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld();

const component = (name?: string) => aComponent(at.owner, at.projectId, name);
const version = (given: Parameters<typeof aVersion>[2] = {}) => aVersion(at.owner, at.projectId, given);
const ready = (given: Parameters<typeof aReadyVersion>[3] = {}) =>
  aReadyVersion(at.world, at.owner, at.projectId, given);
const bundle = (given: Parameters<typeof aBundle>[3] = {}) =>
  aBundle(at.world, at.owner, at.projectId, given);
const call: typeof at.owner.client.call = (endpoint, ...given) => at.owner.client.call(endpoint, ...given);

describe('a component', () => {
  it('is read and listed as it was returned at creation, with its newest versions first', async () => {
    const made = await component();
    expect(made).toMatchObject({ projectId: at.projectId, description: '', versions: [], signingKeys: [] });
    const first = await version({ componentId: made.id });
    const second = await ready({ componentId: made.id });
    const read = await call(readComponent, { params: { componentId: made.id } });
    expect(read).toEqual({
      ...made,
      versionCount: 2,
      versions: [
        { id: second.id, name: second.name, state: 'ready' },
        { id: first.id, name: first.name, state: 'empty' },
      ],
    });
    const query = { projectId: at.projectId, search: made.name.toUpperCase() };
    expect(await call(listComponents, { query })).toMatchObject({ items: [read], total: 1 });
  });

  it('has a unique name in its project, even with concurrent calls', async () => {
    const name = unique('motor');
    const { answers, reasons } = await atOnce(6, () => component(name));
    expect(answers).toHaveLength(1);
    expect(new Set(reasons)).toEqual(new Set(['NAME_TAKEN']));
    await aComponent(at.owner, (await at.world.aProject(at.owner)).id, name);
    const other = await component();
    const rename = call(editComponent, { params: { componentId: other.id }, body: { name } });
    expect((await failing(rename, 'NAME_TAKEN')).fields).toEqual({ name: 'NAME_TAKEN' });
  });

  it('keeps its name once a bundle contains it, but can get another description', async () => {
    const one = await ready();
    const params = { componentId: one.componentId };
    const { name } = await call(editComponent, { params, body: { name: unique('renamed') } });
    const { id } = await bundle({ componentVersionIds: [one.id] });
    const refused = await failing(call(editComponent, { params, body: { name: 'x' } }), 'NAME_IN_USE');
    expect(refused.context).toMatchObject({ bundles: [{ id }] });
    const edited = await call(editComponent, { params, body: { name, description: 'New' }, ifMatch: 2 });
    expect(edited).toMatchObject({ name, description: 'New', revision: 3 });
    await failing(call(editComponent, { params, body: { description: 'Old' }, ifMatch: 2 }), 'STALE');
  });

  it('is deleted with its versions, unless a bundle contains one', async () => {
    const one = await ready();
    const used = await ready();
    const { id, name } = await bundle({ componentVersionIds: [used.id] });
    await call(deleteComponent, { params: { componentId: one.componentId } });
    await failing(
      call(readComponentVersion, { params: { versionId: one.id } }),
      'COMPONENT_VERSION_NOT_FOUND',
    );
    const bundles = [{ id, name, deviceClass: expect.any(String) }];
    expect(await call(readComponentUse, { params: { componentId: used.componentId } })).toEqual({ bundles });
    const removal = call(deleteComponent, { params: { componentId: used.componentId } });
    const { context } = await failing(removal, 'DEPENDENCY_RESTRICTION');
    expect(context).toMatchObject({ bundles: [{ id, name }] });
  });

  it('accepts only valid signing keys', async () => {
    const { id } = await component();
    const edit = (signingKeys: { id: string; publicKey: string }[]) =>
      call(editComponent, { params: { componentId: id }, body: { signingKeys } });
    const { publicKey } = generateKeyPairSync('ed25519');
    const x = publicKey.export({ format: 'jwk' }).x ?? '';
    const keys = [{ id: 'release', publicKey: Buffer.from(x, 'base64url').toString('base64') }];
    expect((await edit(keys)).signingKeys).toEqual(keys);
    await failing(edit([{ id: 'a', publicKey: 'short' }]), 'INVALID_FIELDS');
    expect((await edit([])).signingKeys).toEqual([]);
  });

  it('is limited in number for each project, and its versions for each component', async () => {
    const { id: projectId } = await at.world.aProject(at.owner);
    const { id: componentId } = await aComponent(at.owner, projectId);
    const { db } = at.world.platform;
    await db.run(sql`
      insert into components (project_id, id, name, created_at)
      select ${projectId}, ${unique('cmp')} || n, 'part ' || n, now() from generate_series(3, ${componentsMax}::int) n`);
    await db.run(sql`
      insert into component_versions (project_id, id, component_id, name, created_at)
      select ${projectId}, ${unique('ver')} || n, ${componentId}, 'v' || n, now()
      from generate_series(2, ${versionsMax}::int) n`);
    const parts = await atOnce(3, () => aComponent(at.owner, projectId));
    const versions = await atOnce(3, () => aVersion(at.owner, projectId, { componentId }));
    expect([parts.answers.length, versions.answers.length]).toEqual([1, 1]);
    expect([...parts.reasons, ...versions.reasons]).toEqual([
      'TOO_MANY_COMPONENTS',
      'TOO_MANY_COMPONENTS',
      'TOO_MANY_VERSIONS',
      'TOO_MANY_VERSIONS',
    ]);
    const { items } = await call(listComponents, { query: { projectId, search: componentId } });
    expect(items[0]).toMatchObject({ versionCount: versionsMax });
    expect(items[0]?.versions).toHaveLength(100);
  });

  it('is changed only by developers, and seen only by members', async () => {
    const one = await version();
    const [viewer, stranger] = [await at.world.aDeveloper(), await at.world.aDeveloper()];
    await call(addMember, {
      params: { projectId: at.projectId },
      body: { email: viewer.email, role: 'viewer' },
    });
    const params = { componentId: one.componentId };
    expect(await viewer.client.call(readComponent, { params })).toMatchObject({ id: one.componentId });
    await failing(viewer.client.call(editComponent, { params, body: {} }), 'ROLE_TOO_LOW');
    await failing(stranger.client.call(readComponent, { params }), 'COMPONENT_NOT_FOUND');
    const read = stranger.client.call(readComponentVersion, { params: { versionId: one.id } });
    await failing(read, 'COMPONENT_VERSION_NOT_FOUND');
    const list = stranger.client.call(createComponent, { body: { projectId: at.projectId, name: 'x' } });
    await failing(list, 'NOT_A_MEMBER');
  });
});

describe('a version', () => {
  it('is read as it was returned at creation, and listed without its schema', async () => {
    const deviceConfigSchema = { type: 'object', properties: { zoom: { type: 'integer' } } };
    const made = await version({ name: '1.0.0', deviceConfigSchema, securityVersion: 4 });
    expect(made).toMatchObject({
      name: '1.0.0',
      state: 'empty',
      deviceConfigSchema,
      securityVersion: 4,
      bundleCount: 0,
      createdBy: { id: at.owner.developer.id, name: at.owner.developer.name },
    });
    expect('url' in made || 'checksum' in made).toBe(false);
    expect(await call(readComponentVersion, { params: { versionId: made.id } })).toEqual(made);
    const query = { componentId: made.componentId, sortBy: 'name:asc' };
    const { deviceConfigSchema: _, ...row } = made;
    expect((await call(listComponentVersions, { query })).items).toEqual([row]);
    await failing(version({ componentId: made.componentId, name: '1.0.0' }), 'NAME_TAKEN');
    await version({ name: '1.0.0' });
    await failing(version({ componentId: 'cmp_none' }), 'COMPONENT_NOT_FOUND');
  });

  it('accepts a valid schema, and says where another one is wrong', async () => {
    const wrong = { type: 'object', properties: { a: { type: 'strin' } } };
    const { context } = await failing(version({ deviceConfigSchema: wrong }), 'INVALID_SCHEMA');
    expect(context).toMatchObject({ at: '/deviceConfigSchema/properties/a/type' });
    const made = await version({ deviceConfigSchema: true });
    const edit = (body: { deviceConfigSchema: boolean | Record<string, unknown> | null }) =>
      call(editComponentVersion, { params: { versionId: made.id }, body });
    expect((await edit({ deviceConfigSchema: false })).deviceConfigSchema).toBe(false);
    await failing(edit({ deviceConfigSchema: wrong }), 'INVALID_SCHEMA');
    expect('deviceConfigSchema' in (await edit({ deviceConfigSchema: null }))).toBe(false);
  });

  it('in a bundle can change only its schema', async () => {
    const { id } = await ready();
    const params = { versionId: id };
    await call(editComponentVersion, { params, body: { name: 'renamed', securityVersion: 2 } });
    await bundle({ componentVersionIds: [id] });
    for (const body of [{ name: 'again' }, { securityVersion: 1 }])
      await failing(call(editComponentVersion, { params, body }), 'NAME_IN_USE');
    const same = { name: 'renamed', securityVersion: 2, deviceConfigSchema: { type: 'object' } };
    expect(await call(editComponentVersion, { params, body: same })).toMatchObject(same);
  });

  it('says which bundles contain it and how many devices run it', async () => {
    const { id } = await ready();
    const params = { versionId: id };
    const { id: deviceClass } = await at.deviceClass();
    const made = await bundle({ componentVersionIds: [id], deviceClass });
    const device = await at.device({ deviceClass });
    await at.world.platform.db.run(
      sql`update devices set bundle_installed = ${made.id} where id = ${device.id}`,
    );
    expect(await call(readVersionUse, { params })).toEqual({
      bundles: [{ id: made.id, name: made.name, deviceClass }],
      devices: [{ bundleId: made.id, deviceClass, count: 1 }],
    });
    const read = await call(readComponentVersion, { params });
    expect(read).toMatchObject({ bundleCount: 1, deviceCount: 1 });
    const { context } = await failing(call(deleteComponentVersion, { params }), 'DEPENDENCY_RESTRICTION');
    expect(context).toMatchObject({ bundles: [{ id: made.id }] });
  });

  it('is either deleted or added to a bundle if both are requested at once', async () => {
    const { id: deviceClass } = await at.deviceClass();
    for (let round = 0; round < 12; round++) {
      const one = await ready();
      const body = {
        projectId: at.projectId,
        deviceClass,
        name: unique('race'),
        componentVersionIds: [one.id],
      };
      const work = [
        () => call(createBundle, { body }),
        () =>
          round % 2
            ? call(deleteComponentVersion, { params: { versionId: one.id } })
            : call(deleteComponent, { params: { componentId: one.componentId } }),
      ];
      const { answers, reasons } = await atOnce(2, async number => work[number]?.());
      expect(answers).toHaveLength(1);
      const left = await at.world.platform.db.many(
        sql`select 1 from bundle_components where version_id = ${one.id}`,
      );
      expect(reasons).toEqual([left.length ? 'DEPENDENCY_RESTRICTION' : 'COMPONENT_VERSION_NOT_FOUND']);
    }
  });

  it('has a unique name, even with concurrent calls', async () => {
    const { id: componentId } = await component();
    const { answers, reasons } = await atOnce(5, () =>
      call(createComponentVersion, { body: { componentId, name: '2.0.0' } }),
    );
    expect(answers).toHaveLength(1);
    expect(new Set(reasons)).toEqual(new Set(['NAME_TAKEN']));
  });
});
