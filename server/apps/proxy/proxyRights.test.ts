import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { aRoute } from '#test/backEnds.ts';
import { aDevice } from '#test/devices.ts';
import { anEchoWorld, outcome } from '#test/echoWorld.ts';
import { anEndUser, appUrl, type EndUser } from '#test/endUsers.ts';
import { aHome, inHome, inRole } from '#test/homes.ts';

const at = anEchoWorld();

describe('a proxy route', () => {
  let homeId: string;
  let deviceId: string;
  let deviceClass: string;
  const people: Record<string, EndUser> = {};

  beforeAll(async () => {
    const { world, owner } = at;
    homeId = await aHome(world, at.app.projectId);
    ({ id: deviceId, deviceClass } = await aDevice(owner, at.app.projectId));
    await inHome(world, homeId, [deviceId]);
    await world.platform.db.run(sql`
      insert into device_entities (project_id, device_id, name, class) values (${at.app.projectId}, ${deviceId}, 'lamp-1', 'lamp')`);
    for (const role of ['admin', 'member', 'guest', 'viewer'] as const) {
      const person = await anEndUser(world, at.app);
      people[role] = person;
      await inRole(world, homeId, person, role === 'viewer' ? 'guest' : role);
      if (role === 'guest' || role === 'viewer')
        await world.platform.db.run(sql`
          insert into home_guest_devices (project_id, home_id, user_id, device_id, may_control)
          values (${at.app.projectId}, ${homeId}, ${person.id}, ${deviceId}, ${role === 'guest'})`);
    }
    people.stranger = at.user;
    const foreign = await anApp(owner, (await world.aProject(owner)).id);
    people.foreigner = await anEndUser(world, foreign);
    const suspended = await anEndUser(world, at.app);
    await inRole(world, homeId, suspended, 'member');
    await world.platform.db.run(sql`update users set suspended = true where id = ${suspended.id}`);
    people.suspended = suspended;
  });

  /** The answer that each person gets at this path. */
  async function answers(path: string, method = 'GET'): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const [name, person] of Object.entries(people))
      found[name] = await outcome(person.fetch(`${appUrl(at.world, at.app)}${path}`, { method }));
    return found;
  }
  const signedOut = { foreigner: '401 NO_USER_SESSION', suspended: '401 NO_USER_SESSION' };

  it('of a home is open to its members, and to guests only if the route says so', async () => {
    await aRoute(at, at.backEnd.url, {
      resource: 'home',
      sourcePath: '/all',
      homeRoles: ['guest', 'member'],
    });
    await aRoute(at, at.backEnd.url, { resource: 'home', sourcePath: '/' });
    await aRoute(at, at.backEnd.url, { resource: 'home', sourcePath: '/only', homeIds: [1] });
    const inHomePath = (rest: string) => `/homes/${homeId}/appProxy${rest}`;
    expect(await answers(inHomePath('/x'))).toEqual({
      admin: '200',
      member: '200',
      guest: '403 HOME_RIGHT_MISSING',
      viewer: '403 HOME_RIGHT_MISSING',
      stranger: '404 HOME_NOT_FOUND',
      ...signedOut,
    });
    expect(at.backEnd.received.map(({ headers }) => headers['x-mooring-role'])).toEqual(['admin', 'member']);
    expect(at.backEnd.received[0]?.headers).toMatchObject({ 'x-mooring-home': homeId });
    // A call that one route refuses does not fall through to another route that would accept it.
    expect(await answers(inHomePath('/all/x'))).toMatchObject({
      admin: '403 HOME_RIGHT_MISSING',
      guest: '200',
      member: '200',
    });
    at.usual();
    await answers(inHomePath('/only/x'));
    expect(at.last()?.url).toBe('/only/x');
  });

  it('of a home is closed to a guest whose access has expired', async () => {
    const { guest } = people;
    const { db } = at.world.platform;
    await aRoute(at, at.backEnd.url, { resource: 'home', sourcePath: '/window', homeRoles: ['guest'] });
    const path = `${appUrl(at.world, at.app)}/homes/${homeId}/appProxy/window`;
    expect(await outcome(guest?.fetch(path) as Promise<Response>)).toBe('200');
    await db.run(sql`update home_members set guest_until = ${at.world.now()} where user_id = ${guest?.id}`);
    expect(await outcome(guest?.fetch(path) as Promise<Response>)).toBe('403 HOME_RIGHT_MISSING');
    await db.run(sql`update home_members set guest_until = null where user_id = ${guest?.id}`);
  });

  it('of a device is open to users who may view it, and for changes to those who may control it', async () => {
    const homeRoles = ['guest', 'member', 'admin', 'owner'] as ('guest' | 'member')[];
    await aRoute(at, at.backEnd.url, { resource: 'device', homeRoles, deviceClasses: [deviceClass] });
    const path = `/devices/${deviceId}/appProxy/x`;
    const outsiders = { stranger: '404 DEVICE_NOT_FOUND', ...signedOut };
    const all = { admin: '200', member: '200', guest: '200', viewer: '200', ...outsiders };
    expect(await answers(path)).toEqual(all);
    expect(at.last()?.headers).toMatchObject({
      'x-mooring-device': deviceId,
      'x-mooring-home': homeId,
      'x-mooring-role': 'guest',
    });
    expect(await answers(path, 'POST')).toEqual({ ...all, viewer: '403 HOME_RIGHT_MISSING' });
    const { db } = at.world.platform;
    await db.run(sql`update homes set active = false where id = ${homeId}`);
    expect(await answers(path, 'POST')).toMatchObject({ admin: '409 HOME_INACTIVE' });
    expect(await answers(path)).toEqual(all);
    await db.run(sql`update homes set active = true where id = ${homeId}`);
  });

  it('of an entity has the rights of its device, and matches by class and id of the entity', async () => {
    await aRoute(at, at.backEnd.url, { resource: 'entity', entityClasses: ['lamp'], sourcePath: '/lamps' });
    await aRoute(at, at.backEnd.url, {
      resource: 'entity',
      entityIds: [`${deviceId}:lamp-2`],
      sourcePath: '/one',
    });
    const path = (rest: string, name = 'lamp-1') =>
      `/projects/${at.app.projectId}/entities/${deviceId}:${name}/appProxy${rest}`;
    expect(await answers(path('/lamps'))).toEqual({
      admin: '200',
      member: '200',
      guest: '403 HOME_RIGHT_MISSING',
      viewer: '403 HOME_RIGHT_MISSING',
      stranger: '404 ENTITY_NOT_FOUND',
      ...signedOut,
    });
    expect(at.last()?.headers).toMatchObject({
      'x-mooring-entity': `${deviceId}:lamp-1`,
      'x-mooring-device': deviceId,
    });
    expect(await answers(path('/one'))).toMatchObject({ admin: '404 NO_PROXY_ROUTE' });
    expect(await answers(path('/lamps', 'none'))).toMatchObject({ admin: '404 ENTITY_NOT_FOUND' });
  });

  it('of a user is open to that user alone, and one of a project to all its users', async () => {
    await aRoute(at, at.backEnd.url, { resource: 'user' });
    expect(await answers(`/users/${people.member?.id}/appProxy/x`)).toMatchObject({
      member: '200',
      admin: '404 USER_NOT_FOUND',
      stranger: '404 USER_NOT_FOUND',
      ...signedOut,
    });
    expect(await answers(`${at.projectPath()}/echo/x`)).toMatchObject({
      stranger: '200',
      guest: '200',
      ...signedOut,
    });
    expect(await answers('/projects/prj_none/appProxy/echo')).toMatchObject({
      stranger: '404 PROJECT_NOT_FOUND',
    });
  });
});
