import { beforeAll, describe, expect, it } from 'vitest';
import { type Capability, capabilities, type Endpoint } from '#contract/endpoint.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { slices } from '#server/slices.ts';
import { inHome, inRole } from '#test/homes.ts';
import { aKey, type BackEnd } from '#test/keys.ts';
import { matrixRows } from '#test/matrix/matrixRows.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

/** Every call of the service API × keys with and without its capability. Generated, so that no call is forgotten. */
const at = aProjectWorld();
let only: Record<Capability, BackEnd>;
let allBut: Record<Capability, BackEnd>;
let foreign: BackEnd;
let ids: Record<string, string>;

const flags = (isOn: (one: Capability) => boolean) =>
  Object.fromEntries(capabilities.map(one => [one, isOn(one)])) as Record<Capability, boolean>;

beforeAll(async () => {
  const { world, owner, projectId } = at;
  const keyWith = (isOn: (one: Capability) => boolean, of = projectId) =>
    aKey(world, owner, { projectId: of, ...flags(isOn) });
  const each = async (made: (one: Capability) => Promise<BackEnd>) =>
    Object.fromEntries(await Promise.all(capabilities.map(async one => [one, await made(one)])));
  only = await each(one => keyWith(other => other === one));
  allBut = await each(one => keyWith(other => other !== one));
  foreign = await keyWith(() => true, (await world.aProject(owner)).id);
  ids = await matrixRows(world, projectId, owner);
  Object.assign(ids, { pairKey: 'rate', externalId: 'crm-1' });
  await inHome(world, ids.homeId ?? '', [ids.deviceId]);
  for (const id of ['usr_heir', 'usr_other']) {
    await world.platform.db.run(sql`
      insert into users (project_id, id, created_at) values (${projectId}, ${id}, ${world.now()})`);
    await inRole(world, ids.homeId ?? '', { id }, 'member');
  }
});

const calls = slices
  .flatMap(({ routes = [] }) => routes)
  .map(({ endpoint }) => endpoint as Endpoint)
  .filter(({ capability }) => capability !== undefined)
  .map(endpoint => [endpoint.name, endpoint, endpoint.capability as Capability] as const);

/** Sends only what the path of an endpoint requires. */
async function send(
  { fetch }: BackEnd,
  { method, path, access }: Endpoint,
): Promise<[number, { reason?: string }]> {
  const address = path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'none');
  const noun = typeof access === 'object' ? access.of : '';
  const named =
    noun === 'homeList' || noun === 'deviceList' || path.includes(':') ? 'projectId' : `${noun}Id`;
  const isRead = method === 'GET';
  const query = isRead && !path.includes(':') ? `?${named}=${ids[named]}` : '';
  const response = await fetch(`${at.world.url}/service/v1${address}${query}`, {
    method,
    ...(!isRead && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(path.includes(':') ? {} : { [named]: ids[named] }),
    }),
  });
  return [response.status, await response.json().catch(() => ({}))];
}

it('the service API has calls for every capability', () => {
  for (const capability of capabilities) expect(calls.map(([, , needed]) => needed)).toContain(capability);
});

describe.each(calls)('%s', (_, endpoint, capability) => {
  it('is refused without its capability, which the answer names', async () => {
    const [status, problem] = await send(allBut[capability], endpoint);
    expect([status, problem]).toMatchObject([403, { reason: 'MISSING_CAPABILITY', context: { capability } }]);
  });

  it('does not reveal that another project has the row', async () => {
    const [status] = await send(foreign, endpoint);
    expect(status).toBe(404);
  });

  it("is refused for a developer's session", async () => {
    const [status, { reason }] = await send({ ...only[capability], fetch: at.owner.fetch }, endpoint);
    expect([status, reason]).toEqual([401, 'KEY_REFUSED']);
  });
});

type Ids = Record<string, string | undefined>;

interface Given {
  params?: Ids | (() => Ids);
  query?: () => Record<string, string>;
  body?: () => object;
  /** Extracts ids from the answer for other calls. */
  makes?: (answer: Made) => Ids;
}
type Made = {
  id: string;
  session?: { id: string };
  sessionId?: string;
  invitation?: { id: string };
  run?: { id: string };
};

const range = () => {
  const now = at.world.now().getTime();
  return { begin: new Date(now - hourMs).toISOString(), end: new Date(now).toISOString() };
};
const ofProject = () => ({ projectId: at.projectId });
const table = { moduleType: 'table', configData: { key: 'tag' } };
const ofTable = { moduleId: 'prices' };
const rule = {
  condition: 'state.temperature > 20',
  actions: [{ kind: 'alert', text: 'x' }],
};

/** The input of a call, besides the ids in its path. */
const given: Record<string, Given> = {
  listUsers: { query: ofProject },
  createHome: {
    body: () => ({ ...ofProject(), ownerId: ids.userId, name: 'Cabin', timeZone: 'Europe/Oslo' }),
  },
  editHomeMember: { params: { userId: 'usr_heir' } },
  offerHomeTransfer: { body: () => ({ userId: 'usr_heir' }) },
  addHomeMember: {
    body: () => ({ email: 'new@example.com', role: 'member' }),
    makes: ({ invitation }) => ({ invitationId: invitation?.id }),
  },
  removeHomeMember: { params: { userId: 'usr_other' } },
  createUser: { body: () => ({ ...ofProject(), email: 'created@example.com' }) },
  exportUser: { makes: ({ id }) => ({ exportId: id }) },
  bringUser: { makes: ({ id }) => ({ broughtId: id }) },
  mintUserSession: {
    body: () => ({ appId: ids.appId }),
    makes: ({ sessionId }) => ({ sessionId }),
  },
  endUserSession: { params: () => ({ userId: ids.broughtId }) },
  sendEvent: { body: () => ({ name: 'ding', homeId: ids.homeId }) },
  writeKvPair: { body: () => ({ value: 1 }) },
  writeDeviceKvPair: { body: () => ({ value: 2 }) },
  listDevices: { query: ofProject },
  createDevice: {
    body: () => ({ ...ofProject(), tag: 'one', deviceClass: ids.classId }),
    makes: ({ id }) => ({ freeDeviceId: id }),
  },
  readPresence: { query: range },
  writeDesired: { body: () => ({ desired: { on: true } }) },
  readDeviceStateHistory: { query: range },
  exportDeviceStateHistory: { query: () => ({ ...range(), property: 'on' }) },
  readClassStateHistory: { query: range },
  exportClassStateHistory: { query: () => ({ ...range(), property: 'on' }) },
  rankDevices: { query: () => ({ property: 'on' }) },
  listDeviceEvents: { query: range },
  actOnAlerts: {
    body: () => ({ action: 'acknowledge', ids: [ids.alertId] }),
    makes: ({ id }) => ({ actionId: id }),
  },
  sendCommand: { body: () => ({ name: 'reboot' }), makes: ({ id }) => ({ commandId: id }) },
  addHomeDevice: { body: () => ({ deviceId: ids.freeDeviceId }) },
  saveTableData: { params: ofTable, body: () => ({ rows: [{ tag: 'a' }] }) },
  restoreTableVersion: { params: ofTable },
  readModuleData: { params: ofTable },
  listTableVersions: { params: ofTable },
  readTableVersion: { params: ofTable },
  previewSchedule: { body: () => ({ cron: '0 8 * * *', timeZone: 'Europe/Oslo' }) },
  recoverSmartModule: { body: () => ({ since: range().begin }) },
  explainModule: { query: () => ({ eventId: 'evt_none' }) },
  createSmartModule: { body: () => ({ id: 'prices', ...table }) },
  checkModuleConfig: { body: () => table },
  replayRule: {
    body: () => ({ configData: rule, subscribedEvents: ['*'] }),
    makes: ({ id }) => ({ replayId: id }),
  },
  deleteUser: { query: () => ({ homes: 'delete' }) },
};

/** Calls about rows that this project does not have: with their capability, they get a not-found reason. */
const absent: Record<string, string> = {
  resendModuleRun: 'MODULE_RUN_NOT_FOUND',
  readModuleRun: 'MODULE_RUN_NOT_FOUND',
  explainModule: 'EVENT_NOT_FOUND',
  readDeviceClassRevision: 'CLASS_REVISION_NOT_FOUND',
};

/** Creates modules before their data, then reads; deletions come last, and a home is deleted after its contents. */
function turn({ method, path, name }: Endpoint): number {
  if (name === 'prepareResale') return 970;
  if (method === 'DELETE') return 1000 - path.length;
  if (method === 'GET') return 1;
  return name === 'createSmartModule' ? -1 : 0;
}

it('each call succeeds with only its own capability', async () => {
  const answers: Record<string, string> = {};
  for (const [name, { method, path }, capability] of calls.toSorted(([, a], [, b]) => turn(a) - turn(b))) {
    const { params = {}, query, body, makes } = given[name] ?? {};
    const own = typeof params === 'function' ? params() : params;
    const address = path.replace(/:(\w+)/g, (_, id: string) => own[id] ?? ids[id] ?? 'none');
    const asked = `${at.world.url}/service/v1${address}?${new URLSearchParams(query?.())}`;
    const response = await only[capability].fetch(asked, {
      method,
      ...(method !== 'GET' && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body?.() ?? {}),
      }),
    });
    const answer = (await response.json().catch(() => ({}))) as Made & { reason?: string };
    if (!response.ok) answers[name] = answer.reason ?? String(response.status);
    Object.assign(ids, response.ok ? makes?.(answer) : {});
  }
  expect(answers).toEqual(absent);
});
