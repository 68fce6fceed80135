import { beforeAll, describe, expect, it } from 'vitest';
import { deleteMyHome, inviteToHome, readMyHome } from '#contract/appApi/home.ts';
import type { AppEndpoint, HomeRight } from '#contract/endpoint.ts';
import { sql } from '#server/infra/db/sql.ts';
import { slices } from '#server/slices.ts';
import { anApp } from '../apps.ts';
import { aClass, aDevice } from '../devices.ts';
import { anEndUser, appUrl, type CalledApp, signedIn } from '../endUsers.ts';
import { aHome, inHome, inRole, ownerOf, sharingWorld } from '../homes.ts';
import { hostileBodies, hostileRanges } from '../hostileInput.ts';
import { aProjectWorld } from '../projectWorld.ts';

/**
 * Every call of the app API × everybody inside and outside of a home × legacy access control and roles × an active and
 * an inactive home. What each may do is written here a second time, from the design; the calls come from the server.
 */
const at = aProjectWorld();

const calls = slices
  .flatMap(({ appRoutes }) => appRoutes ?? [])
  .map(({ endpoint }) => endpoint as AppEndpoint);
const named = calls.map(endpoint => [endpoint.name, endpoint] as const);
const guarded = named.filter(([, { access }]) => access !== 'public');
const inHomes = named.filter(([, { access }]) => typeof access === 'object');

const view: HomeRight[] = ['view'];
const control: HomeRight[] = ['view', 'control'];
const configure: HomeRight[] = ['view', 'control', 'configure', 'invite'];
const own: HomeRight[] = ['view', 'control', 'configure', 'invite', 'own'];

/** A subject's rights in the home and on its device; undefined: the home or the device does not exist for them. */
interface Subject {
  home?: HomeRight[];
  device?: HomeRight[];
  /** Every call is refused. */
  signedOut?: true;
}

const outsiders: Record<string, Subject> = {
  'nobody in particular': { signedOut: true },
  'a member who is suspended': { signedOut: true },
  'a member who was removed': {},
  'the owner of another home': {},
  'a user of another project': {},
};

const subjects: Record<'legacy' | 'roles', Record<string, Subject>> = {
  legacy: {
    owner: { home: own, device: own },
    member: { home: configure, device: configure },
    ...outsiders,
  },
  roles: {
    owner: { home: own, device: own },
    admin: { home: configure, device: configure },
    member: { home: control, device: control },
    'guest who may see the device': { home: view, device: view },
    'guest who may control the device': { home: view, device: control },
    'guest of another device': { home: view },
    'guest whose time is over': { home: view },
    'guest whose time has not come': { home: view },
    'guest on another day of the week': { home: view },
    ...outsiders,
  },
};

const states = ['active', 'inactive'] as const;
const kinds = ['legacy', 'roles'] as const;

interface Place {
  app: CalledApp;
  homeId: string;
  deviceId: string;
  tokens: Record<string, { app: CalledApp; token: string | undefined }>;
}
const places = new Map<string, Place>();

beforeAll(async () => {
  for (const kind of kinds)
    for (const state of states) places.set(`${kind} ${state}`, await aPlace(kind, state));
}, 60_000);

async function aPlace(kind: (typeof kinds)[number], state: (typeof states)[number]): Promise<Place> {
  const { world, owner } = at;
  const app = await sharingWorld(at, { hasRoles: kind === 'roles' });
  const { projectId } = app;
  const homeId = await aHome(world, projectId);
  const { id: deviceClass } = await aClass(owner, projectId);
  const [{ id: deviceId }, { id: other }] = [
    await aDevice(owner, projectId, { deviceClass }),
    await aDevice(owner, projectId, { deviceClass }),
  ];
  await inHome(world, homeId, [deviceId, other]);
  const { db } = world.platform;
  await db.run(sql`update homes set active = ${state === 'active'} where id = ${homeId}`);
  const place: Place = { app, homeId, deviceId, tokens: {} };
  for (const name of Object.keys(subjects[kind])) place.tokens[name] = await tokenOf(name, place, other);
  return place;
}

/** Gives a user the role that the name says, and signs them in. */
async function tokenOf(name: string, { app, homeId, deviceId }: Place, other: string) {
  const { world, owner } = at;
  const { db } = world.platform;
  if (name === 'nobody in particular') return { app, token: undefined };
  if (name === 'owner') return tokenIn(app, await ownerOf(world, homeId));
  if (name === 'the owner of another home')
    return tokenIn(app, await ownerOf(world, await aHome(world, app.projectId)));
  if (name === 'a user of another project') {
    const foreign = await anApp(owner, (await world.aProject(owner)).id);
    return { app: foreign, token: (await anEndUser(world, foreign)).tokens.accessToken };
  }
  const user = await anEndUser(world, app);
  const token = { app, token: user.tokens.accessToken };
  const role = name === 'admin' ? 'admin' : name.startsWith('guest') ? 'guest' : 'member';
  await inRole(world, homeId, user, role);
  if (name === 'a member who is suspended')
    await db.run(sql`update users set suspended = true where id = ${user.id}`);
  if (name === 'a member who was removed')
    await db.run(sql`delete from home_members where user_id = ${user.id}`);
  if (role !== 'guest') return token;
  const [listed, mayControl] =
    name === 'guest of another device' ? [other, true] : [deviceId, !/see/.test(name)];
  await db.run(sql`
    insert into home_guest_devices (project_id, home_id, user_id, device_id, may_control)
    values (${app.projectId}, ${homeId}, ${user.id}, ${listed}, ${mayControl})`);
  const today = (world.now().getUTCDay() + 6) % 7;
  const days = [((today + 3) % 7) + 1];
  if (/over/.test(name))
    await db.run(sql`update home_members set guest_until = ${world.now()} where user_id = ${user.id}`);
  if (/not come/.test(name))
    await db.run(
      sql`update home_members set guest_from = now() + interval '1 day' where user_id = ${user.id}`,
    );
  if (/day of the week/.test(name))
    await db.run(sql`
      update home_members set guest_weekly = ${JSON.stringify({ days, from: '00:00', to: '00:00' })}
      where user_id = ${user.id}`);
  return token;
}

async function tokenIn(app: CalledApp, userId: string) {
  return { app, token: (await signedIn(at.world, app, userId)).accessToken };
}

/** Sends a call for an existing row, with invalid input: a caller who may make the call gets 400. */
async function send(
  endpoint: AppEndpoint,
  { app, token }: { app: CalledApp; token: string | undefined },
  ids: Record<string, string>,
  more: { query?: string; body?: string | Uint8Array<ArrayBuffer>; type?: string } = {},
): Promise<[number, string]> {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'none');
  const { query = 'neverHeardOf=1', type = 'application/json' } = more;
  const response = await fetch(`${appUrl(at.world, app)}${path}?${query}`, {
    method: endpoint.method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(endpoint.method !== 'GET' && { 'content-type': type }),
    },
    ...(endpoint.method !== 'GET' && { body: more.body ?? JSON.stringify(ids) }),
  });
  const answer = await response.json().catch(() => ({ reason: 'NO BODY' }));
  return [response.status, answer.reason];
}

/** The result that the design requires for one cell of the matrix. */
function expected({ access }: AppEndpoint, subject: Subject, state: (typeof states)[number]): string {
  if (subject.signedOut) return 'NO_USER_SESSION';
  if (typeof access !== 'object') return 'may';
  const rights = access.of === 'home' ? subject.home : subject.device;
  if (!rights) return access.of === 'home' ? 'HOME_NOT_FOUND' : 'DEVICE_NOT_FOUND';
  if (!rights.includes(access.right)) return 'HOME_RIGHT_MISSING';
  return access.right === 'control' && state === 'inactive' ? 'HOME_INACTIVE' : 'may';
}

describe.each(kinds)('with %s access control', kind => {
  describe.each(states)('in a home that is %s', state => {
    it.each(guarded)('%s is allowed for exactly the users the design says', async (_, endpoint) => {
      const place = places.get(`${kind} ${state}`);
      if (!place) throw new Error('There is no such place.');
      const ids = { homeId: place.homeId, deviceId: place.deviceId };
      const [found, wanted]: Record<string, string>[] = [{}, {}];
      for (const [name, subject] of Object.entries(subjects[kind])) {
        const by = place.tokens[name];
        if (!by || !found || !wanted) throw new Error(`Nobody is ${name}.`);
        const [status, reason] = await send(endpoint, by, ids);
        found[name] = status === 400 ? 'may' : reason;
        wanted[name] = expected(endpoint, subject, state);
      }
      expect(found).toEqual(wanted);
    });
  });
});

it('the matrix contains the calls of homes', () => {
  for (const call of [readMyHome, inviteToHome, deleteMyHome])
    expect(inHomes.map(([name]) => name)).toContain(call.name);
});

describe('every app call', () => {
  const place = () => places.get('roles active') as Place;
  const ids = () => ({ homeId: place().homeId, deviceId: place().deviceId });
  const owner = () => place().tokens.owner as Place['tokens'][string];

  it.each(guarded)('%s refuses an invalid token, and one of another app or project', async (_, endpoint) => {
    const { app } = place();
    const sibling = await anApp(at.owner, app.projectId);
    const foreign = place().tokens['a user of another project'];
    const refused = [401, 'NO_USER_SESSION'];
    expect(await send(endpoint, { app, token: 'nonsense' }, ids())).toEqual(refused);
    expect(await send(endpoint, { app: sibling, token: owner().token }, ids())).toEqual(refused);
    expect(await send(endpoint, { app, token: foreign?.token }, ids())).toEqual(refused);
  });

  it.each(named)('%s refuses an app that does not exist', async (_, endpoint) => {
    const { projectId } = place().app;
    for (const app of [
      { id: 'none', projectId },
      { id: place().app.id, projectId: 'prj_none' },
    ])
      expect(await send(endpoint, { ...owner(), app }, ids())).toEqual([404, 'APP_NOT_FOUND']);
  });

  const withBody = named.filter(([, { method }]) => method !== 'GET' && method !== 'DELETE');
  describe.each(withBody)('%s', (_, endpoint) => {
    const hostile = hostileBodies.filter(([what]) => !isFine(endpoint, what));
    it.each(hostile)('refuses %s as its body with 400 and a reason', async (_what, body) => {
      const [status, reason] = await send(endpoint, owner(), ids(), { query: '', body });
      expect([status, /^[A-Z0-9_]+$/.test(reason)]).toEqual([400, true]);
    });

    it('refuses a form, plain text and two mebibytes', async () => {
      const form = { query: '', type: 'application/x-www-form-urlencoded', body: 'name=a' };
      const text = { query: '', type: 'text/plain', body: 'a' };
      const large = { query: '', body: `{"name":"${'a'.repeat(2 ** 21)}"}` };
      expect(await send(endpoint, owner(), ids(), form)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      expect((await send(endpoint, owner(), ids(), text))[0]).toBe(415);
      expect(await send(endpoint, owner(), ids(), large)).toEqual([413, 'TOO_LARGE']);
    });
  });

  describe.each(named.filter(([, { list }]) => list))('%s', (_, endpoint) => {
    it.each(hostileRanges)('refuses %s with 400', async query => {
      expect((await send(endpoint, owner(), ids(), { query }))[0]).toBe(400);
    });
  });
});

/** Any object is a valid desired state. */
function isFine({ body }: AppEndpoint, what: string): boolean {
  return ['an unknown field', 'a prototype'].includes(what) && body.safeParse({ neverHeardOf: 1 }).success;
}
