import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '#server/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { aBackEnd, aRoute, type BackEnd } from '#test/backEnds.ts';
import { aDevice } from '#test/devices.ts';
import { anEndUser, appUrl, type CalledApp, type EndUser } from '#test/endUsers.ts';
import { aHome, inHome, inRole, sharingWorld } from '#test/homes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });
let backEnd: BackEnd;
let app: CalledApp;
let user: EndUser;

beforeAll(async () => {
  backEnd = await aBackEnd();
  app = await sharingWorld(at, { hasRoles: true });
  at.projectId = app.projectId;
  user = await anEndUser(at.world, app);
  await aRoute(at, `${backEnd.url}/base`, { sourcePath: '/echo' });
});
afterAll(() => backEnd[Symbol.asyncDispose]());
const usual = () => {
  backEnd.received.length = 0;
  backEnd.answer = (request, response) => void request.on('end', () => response.end('ok')).resume();
};
beforeEach(usual);

const projectPath = () => `/projects/${app.projectId}/appProxy`;
/** The status, and the reason where the platform answered. */
async function outcome(response: Response | Promise<Response>): Promise<string> {
  const { status, ...rest } = await Promise.resolve(response).then(async one => ({
    status: one.status,
    text: await one.text(),
  }));
  const reason = /"reason":"(\w+)"/.exec(rest.text)?.[1];
  return reason ? `${status} ${reason}` : String(status);
}
const last = () => backEnd.received.at(-1);

describe('who may call', () => {
  let homeId: string;
  let deviceId: string;
  let deviceClass: string;
  const people: Record<string, EndUser> = {};

  beforeAll(async () => {
    const { world, owner } = at;
    homeId = await aHome(world, app.projectId);
    ({ id: deviceId, deviceClass } = await aDevice(owner, app.projectId));
    await inHome(world, homeId, [deviceId]);
    await world.platform.db.run(sql`
      insert into device_entities (project_id, device_id, name, class) values (${app.projectId}, ${deviceId}, 'lamp-1', 'lamp')`);
    for (const role of ['admin', 'member', 'guest', 'viewer'] as const) {
      const person = await anEndUser(world, app);
      people[role] = person;
      await inRole(world, homeId, person, role === 'viewer' ? 'guest' : role);
      if (role === 'guest' || role === 'viewer')
        await world.platform.db.run(sql`
          insert into home_guest_devices (project_id, home_id, user_id, device_id, may_control)
          values (${app.projectId}, ${homeId}, ${person.id}, ${deviceId}, ${role === 'guest'})`);
    }
    people.stranger = user;
    const foreign = await anApp(owner, (await world.aProject(owner)).id);
    people.foreigner = await anEndUser(world, foreign);
    const suspended = await anEndUser(world, app);
    await inRole(world, homeId, suspended, 'member');
    await world.platform.db.run(sql`update users set suspended = true where id = ${suspended.id}`);
    people.suspended = suspended;
  });

  /** What each of them is answered at an address. */
  async function answers(path: string, method = 'GET'): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const [name, person] of Object.entries(people))
      found[name] = await outcome(person.fetch(`${appUrl(at.world, app)}${path}`, { method }));
    return found;
  }
  const signedOut = { foreigner: '401 NO_USER_SESSION', suspended: '401 NO_USER_SESSION' };

  it('of a home: its members, and guests only where the route says so', async () => {
    await aRoute(at, backEnd.url, { resource: 'home', sourcePath: '/all', homeRoles: ['guest', 'member'] });
    await aRoute(at, backEnd.url, { resource: 'home', sourcePath: '/' });
    await aRoute(at, backEnd.url, { resource: 'home', sourcePath: '/only', homeIds: [1] });
    const inHomePath = (rest: string) => `/homes/${homeId}/appProxy${rest}`;
    expect(await answers(inHomePath('/x'))).toEqual({
      ...{ admin: '200', member: '200', guest: '403 HOME_RIGHT_MISSING', viewer: '403 HOME_RIGHT_MISSING' },
      ...{ stranger: '404 HOME_NOT_FOUND', ...signedOut },
    });
    expect(backEnd.received.map(({ headers }) => headers['x-mooring-role'])).toEqual(['admin', 'member']);
    expect(backEnd.received[0]?.headers).toMatchObject({ 'x-mooring-home': homeId });
    // What is meant for others does not fall through to a route that would take it.
    expect(await answers(inHomePath('/all/x'))).toMatchObject({
      admin: '403 HOME_RIGHT_MISSING',
      guest: '200',
      member: '200',
    });
    usual();
    await answers(inHomePath('/only/x'));
    expect(last()?.url).toBe('/only/x');
  });

  it('a guest whose time is over does not reach the home', async () => {
    const { guest } = people;
    const { db } = at.world.platform;
    await aRoute(at, backEnd.url, { resource: 'home', sourcePath: '/window', homeRoles: ['guest'] });
    const path = `${appUrl(at.world, app)}/homes/${homeId}/appProxy/window`;
    expect(await outcome(guest?.fetch(path) as Promise<Response>)).toBe('200');
    await db.run(sql`update home_members set guest_until = ${at.world.now()} where user_id = ${guest?.id}`);
    expect(await outcome(guest?.fetch(path) as Promise<Response>)).toBe('403 HOME_RIGHT_MISSING');
    await db.run(sql`update home_members set guest_until = null where user_id = ${guest?.id}`);
  });

  it('of a device: who may view it, and to change something who may control it', async () => {
    const homeRoles = ['guest', 'member', 'admin', 'owner'] as ('guest' | 'member')[];
    await aRoute(at, backEnd.url, { resource: 'device', homeRoles, deviceClasses: [deviceClass] });
    const path = `/devices/${deviceId}/appProxy/x`;
    const outsiders = { stranger: '404 DEVICE_NOT_FOUND', ...signedOut };
    const all = { admin: '200', member: '200', guest: '200', viewer: '200', ...outsiders };
    expect(await answers(path)).toEqual(all);
    expect(last()?.headers).toMatchObject({
      ...{ 'x-mooring-device': deviceId, 'x-mooring-home': homeId, 'x-mooring-role': 'guest' },
    });
    expect(await answers(path, 'POST')).toEqual({ ...all, viewer: '403 HOME_RIGHT_MISSING' });
    const { db } = at.world.platform;
    await db.run(sql`update homes set active = false where id = ${homeId}`);
    expect(await answers(path, 'POST')).toMatchObject({ admin: '409 HOME_INACTIVE' });
    expect(await answers(path)).toEqual(all);
    await db.run(sql`update homes set active = true where id = ${homeId}`);
  });

  it('of an entity: the same as of its device, and by its class and id', async () => {
    await aRoute(at, backEnd.url, { resource: 'entity', entityClasses: ['lamp'], sourcePath: '/lamps' });
    await aRoute(at, backEnd.url, {
      resource: 'entity',
      entityIds: [`${deviceId}:lamp-2`],
      sourcePath: '/one',
    });
    const path = (rest: string, name = 'lamp-1') =>
      `/projects/${app.projectId}/entities/${deviceId}:${name}/appProxy${rest}`;
    expect(await answers(path('/lamps'))).toEqual({
      ...{ admin: '200', member: '200', guest: '403 HOME_RIGHT_MISSING', viewer: '403 HOME_RIGHT_MISSING' },
      ...{ stranger: '404 ENTITY_NOT_FOUND', ...signedOut },
    });
    expect(last()?.headers).toMatchObject({
      'x-mooring-entity': `${deviceId}:lamp-1`,
      'x-mooring-device': deviceId,
    });
    expect(await answers(path('/one'))).toMatchObject({ admin: '404 NO_PROXY_ROUTE' });
    expect(await answers(path('/lamps', 'none'))).toMatchObject({ admin: '404 ENTITY_NOT_FOUND' });
  });

  it('of a user: the user alone; of a project: its users', async () => {
    await aRoute(at, backEnd.url, { resource: 'user' });
    expect(await answers(`/users/${people.member?.id}/appProxy/x`)).toMatchObject({
      ...{ member: '200', admin: '404 USER_NOT_FOUND', stranger: '404 USER_NOT_FOUND', ...signedOut },
    });
    expect(await answers(`${projectPath()}/echo/x`)).toMatchObject({
      stranger: '200',
      guest: '200',
      ...signedOut,
    });
    expect(await answers('/projects/prj_none/appProxy/echo')).toMatchObject({
      stranger: '404 PROJECT_NOT_FOUND',
    });
  });
});
