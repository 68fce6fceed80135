import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { activate, endSession, listSessions, logIn, logOut } from '#contract/account.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { editProject } from '#contract/project.ts';
import { addMember, removeMember } from '#contract/team.ts';
import { sql } from '#server/infra/db/sql.ts';
import { until } from '#test/until.ts';
import { type SignedIn, theWorld, unique } from '#test/world.ts';

const world = theWorld();

/** Listens like a browser's EventSource: `heard` grows, `ended` is true once the server has closed the stream. */
async function listen(who: SignedIn, projectId: string) {
  const response = await who.fetch(`${world.url}/api/projects/${projectId}/live`);
  const state = { status: response.status, heard: '', ended: false };
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const done = (async () => {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) break;
      state.heard += chunk.value;
    }
    state.ended = true;
  })();
  return { state, end: () => reader?.cancel(), done };
}

it('every open window receives a change with its audit log entry, after the commit', async () => {
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  const windows = await Promise.all([listen(ada, projectId), listen(ada, projectId)]);
  await ada.client.call(editProject, { params: { projectId }, body: { name: 'Renamed' } });
  for (const { state, end } of windows) {
    await until(() => (state.heard.includes('event: entry') ? true : undefined));
    expect(state.heard).toContain(`event: changed\ndata: {"path":"/projects/${projectId}"}`);
    expect(state.heard).toContain('Settings of project Renamed changed');
    await end();
  }
});

it('a window receives the same over a WebSocket, which pages of other sites cannot open', async () => {
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  const cookie = [...ada.cookies].map(pair => pair.join('=')).join('; ');
  const address = `${world.url.replace(/^http/, 'ws')}/api/projects/${projectId}/live`;
  const openedFrom = (origin: string) => new WebSocket(address, { headers: { cookie, origin } });
  const [foreign] = await once(openedFrom('https://elsewhere.example'), 'error');
  expect(String(foreign)).toContain('403');
  const window = openedFrom(world.url);
  const heard: unknown[] = [];
  window.on('message', data => {
    const message = JSON.parse(String(data));
    if (message.event !== 'beat') heard.push(message);
  });
  await until(() => (heard.length > 0 ? true : undefined));
  await ada.client.call(editProject, { params: { projectId }, body: { name: 'Renamed' } });
  await until(() => (heard.length > 2 ? true : undefined));
  expect(heard).toMatchObject([
    { event: 'opened', data: { lastEntryId: expect.any(String) } },
    { event: 'changed', data: { path: `/projects/${projectId}` } },
    { event: 'entry', data: { entry: { text: expect.stringContaining('Renamed') } } },
  ]);
  const closed = once(window, 'close');
  await ada.client.call(logOut);
  await closed;
});

it('a change also names the other reads that its endpoint makes old', async () => {
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  const { state, end } = await listen(ada, projectId);
  const body = { id: 'thermostat' };
  await ada.client.call(createDeviceClass, { params: { projectId }, body });
  await until(() => (state.heard.includes('event: entry') ? true : undefined));
  const change = { path: `/projects/${projectId}/deviceClasses`, makesOld: createDeviceClass.makesOld };
  expect(change.makesOld).toContain('stats');
  expect(state.heard).toContain(`event: changed\ndata: ${JSON.stringify(change)}`);
  await end();
});

it('a stream begins with the newest audit log entry, so that its reader can tell whether it missed any', async () => {
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  const before = await listen(ada, projectId);
  await ada.client.call(editProject, { params: { projectId }, body: { name: 'Renamed' } });
  const told = await until(() => /event: entry\ndata: .*?"id":"(log_\w+)"/.exec(before.state.heard)?.[1]);
  const { state, end } = await listen(ada, projectId);
  await until(() =>
    state.heard.includes(`event: opened\ndata: {"lastEntryId":"${told}","lastEntryAgeMs":`)
      ? true
      : undefined,
  );
  await Promise.all([before.end(), end()]);
});

it('a developer has at most a hundred open windows, and can open another after closing one', async () => {
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  const windows = await Promise.all(Array.from({ length: 100 }, () => listen(ada, projectId)));
  expect(new Set(windows.map(({ state }) => state.status))).toEqual(new Set([200]));
  const address = `${world.url}/api/projects/${projectId}/live`;
  expect((await ada.fetch(address, { method: 'GET' })).status).toBe(429);
  await windows.pop()?.end();
  windows.push(
    await until(async () => {
      const again = await listen(ada, projectId);
      return again.state.status === 200 ? again : undefined;
    }),
  );
  await Promise.all(windows.map(({ end }) => end()));
});

it('a window receives nothing from another project', async () => {
  const ada = await world.aDeveloper();
  const [mine, other] = await Promise.all([world.aProject(ada), world.aProject(ada)]);
  const { state, end } = await listen(ada, mine.id);
  await ada.client.call(editProject, { params: { projectId: other.id }, body: { name: 'Elsewhere' } });
  await ada.client.call(editProject, { params: { projectId: mine.id }, body: { name: 'Here' } });
  await until(() => (state.heard.includes('Here') ? true : undefined));
  expect(state.heard).not.toContain('Elsewhere');
  await end();
});

it('the acceptance of an invitation is sent to everyone who watches the team', async () => {
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  const email = `${unique('invited')}@example.com`;
  await ada.client.call(addMember, { params: { projectId }, body: { email } });
  const { state, end } = await listen(ada, projectId);
  const [mail] = await world.mailsTo(email);
  const body = { token: mail?.token ?? '', name: 'Grace Hopper', password: 'four words of nonsense' };
  await world.visitor().client.call(activate, { body });
  await until(() => (state.heard.includes(`"path":"/projects/${projectId}/members"`) ? true : undefined));
  await until(() => (state.heard.includes(`"action":"activate"`) ? true : undefined));
  await end();
});

it('a refused change is not sent', async () => {
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  const { state, end } = await listen(ada, projectId);
  await ada.client
    .call(editProject, { params: { projectId }, body: { name: 'x' }, ifMatch: 99 })
    .catch(() => undefined);
  await ada.client.call(editProject, { params: { projectId }, body: { name: 'Last' } });
  await until(() => (state.heard.includes('Last') ? true : undefined));
  expect(state.heard.match(/event: changed/g)).toHaveLength(1);
  await end();
});

it('a removed member receives nothing after the removal', async () => {
  const [ada, bob] = await Promise.all([world.aDeveloper(), world.aDeveloper()]);
  const { id: projectId } = await world.aProject(ada);
  await ada.client.call(addMember, { params: { projectId }, body: { email: bob.email } });
  const { state, done } = await listen(bob, projectId);
  await ada.client.call(removeMember, { params: { projectId, developerId: bob.developer.id } });
  await done;
  expect(state.ended).toBe(true);
});

describe('a stream without its heartbeat', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  async function watching() {
    const [ada, bob] = await Promise.all([world.aDeveloper(), world.aDeveloper()]);
    const { id: projectId } = await world.aProject(ada);
    await ada.client.call(addMember, { params: { projectId }, body: { email: bob.email } });
    vi.useFakeTimers({ toFake: ['setInterval'] });
    return { ada, bob, projectId, ...(await listen(bob, projectId)) };
  }

  it('closes when its session signs out', async () => {
    const { bob, done } = await watching();
    await bob.client.call(logOut);
    await done;
  });

  it('closes when its session is ended from another one', async () => {
    const { bob, done } = await watching();
    const params = { developerId: bob.developer.id };
    const [own] = await bob.client.call(listSessions, { params });
    const elsewhere = world.visitor();
    const { email, password } = bob;
    await elsewhere.client.call(logIn, { body: { email, password, orgId: 'default' } });
    await elsewhere.client.call(endSession, { params: { ...params, sessionId: own?.id ?? '' } });
    await done;
  });

  it('closes within a second of a suspension by another process that publishes no notice', async () => {
    const { bob, done } = await watching();
    await world.platform.db.run(sql`update developers set suspended = true where id = ${bob.developer.id}`);
    vi.advanceTimersByTime(1_000);
    await done;
  });

  it.each([
    ['its developer was suspended', sql`update developers set suspended = true where id =`],
    [
      'the organization began to require two-factor authentication',
      sql`update organizations set require_two_factor = true where id = 'default' and '' <`,
    ],
  ])('sends no audit log entry after %s by another process', async (_what, change) => {
    const { ada, bob, projectId, state, done } = await watching();
    await world.platform.db.run(sql`update developers set totp_active = true where id = ${ada.developer.id}`);
    await world.platform.db.run(sql`${change} ${bob.developer.id}`);
    await ada.client.call(editProject, { params: { projectId }, body: { name: 'Told to nobody' } });
    await done;
    await world.platform.db.run(sql`update organizations set require_two_factor = false`);
    expect(state.heard).not.toContain('event: entry');
  });
});
