import { beforeAll, expect, it } from 'vitest';
import { ConfigFaults } from '#contract/moduleConfig.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { readMails } from '#server/mail/sending/waiting.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser, type CalledApp, type EndUser } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aHome, inHome, inRole } from '#test/homes.ts';
import { aRun, createdModule } from '#test/moduleTypes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import type { NotifyConfig } from './notifyConfig.ts';
import { notifyType } from './notifyType.ts';

const at = aProjectWorld();
const wording = {
  subject: 'The {{ device.name }} is open',
  text: 'It is {{ event.payload.temperature }} °C.',
};
const event = {
  id: 'evt_1',
  ts: '2026-11-20T09:46:00.000Z',
  name: 'opened',
  deviceId: 'dev_1',
  payload: { temperature: 3.5, note: '<b>a@evil.example</b>' },
};

interface Place {
  app: CalledApp;
  homeId: string;
  member: EndUser;
  guest: EndUser;
  device: { id: string; tag: string; name: string; deviceClass: string; homeId: string };
}

/** A home in Oslo. Its member and guest have verified addresses; its owner has none. */
async function aPlace(app: CalledApp): Promise<Place> {
  const { world } = at;
  const homeId = await aHome(world, app.projectId);
  const [member, guest] = [await anEndUser(world, app), await anEndUser(world, app, { name: 'Ola Guest' })];
  await inRole(world, homeId, member, 'member');
  await inRole(world, homeId, guest, 'guest');
  const { id } = await at.device();
  await inHome(world, homeId, [id]);
  const device = { id, tag: 'fridge-1', name: 'Fridge', deviceClass: 'fridge', homeId };
  return { app, homeId, member, guest, device };
}

let place: Place;
beforeAll(async () => {
  place = await aPlace(await anApp(at.owner, at.projectId));
});

const aNotify = (config: Partial<NotifyConfig> = {}) =>
  createdModule(at, 'notify', { ...wording, ...config }, { suspended: true });

async function notified(
  id: string,
  given: { now?: Date; runId?: string; isTest?: boolean; home?: Place } = {},
) {
  const { home = place, ...rest } = given;
  const device = { ...home.device, connected: true, since: undefined };
  const run = await aRun<NotifyConfig>(at, id, { event, device, state: { battery: 7 }, ...rest });
  return { run, outcome: await notifyType.run(run, at.world.platform) };
}

const unsent = (summary: string) => ({ isOk: true, isHeld: true, summary });

const mailsTo = async ({ email }: EndUser) =>
  (await readMails(at.world.platform.db, at.world.platform.sealing)).filter(({ to }) => to === email);

it('members with the chosen roles get the configured text, into which devices cannot inject markup', async () => {
  const home = await aPlace(place.app);
  const { id } = await aNotify({
    text: 'It is {{ event.payload.temperature }} °C & {{ state.battery }} %.\n{{ event.payload.note }}\n\nGone: {{ event.payload.gone | default: "no" }}',
  });
  const { outcome } = await notified(id, { home });
  expect(outcome).toEqual({ isOk: true, summary: '1 e-mail sent' });
  const [mail] = await mailsTo(home.member);
  expect(mail?.subject).toBe('The Fridge is open');
  expect(mail?.text).toContain('It is 3.5 °C & 7 %.');
  // A word joiner keeps mail programs from turning it into a link.
  expect(mail?.text).toContain('evil.\u2060example');
  expect(mail?.text).toContain('Gone: no');
  expect(mail?.html).toContain('&lt;b&gt;');
  expect(mail?.html).not.toContain('<b>a@');
  expect(await mailsTo(home.guest)).toEqual([]);
});

it('a guest gets e-mails only about the devices they have access to', async () => {
  const home = await aPlace(place.app);
  const { id } = await aNotify({ roles: ['guest'] });
  await notified(id, { home });
  expect(await mailsTo(home.guest)).toEqual([]);
  await at.world.platform.db.run(sql`
    insert into home_guest_devices (project_id, home_id, user_id, device_id, may_control)
    values (${at.projectId}, ${home.homeId}, ${home.guest.id}, ${home.device.id}, false)`);
  await notified(id, { home });
  expect(await mailsTo(home.guest)).toHaveLength(1);
  expect(await mailsTo(home.member)).toEqual([]);
});

it('a run without recipients says why, and does not count as sent', async () => {
  const { id } = await aNotify();
  const { homeId: _, ...homeless } = place.device;
  const device = { ...homeless, homeId: undefined, connected: true, since: undefined };
  const run = await aRun<NotifyConfig>(at, id, { event, device, state: {} });
  const outcome = await notifyType.run(run, at.world.platform);
  expect(outcome).toEqual(unsent('The device is not in a home'));
});

it('a repeated run sends nothing again', async () => {
  const home = await aPlace(place.app);
  const { id } = await aNotify();
  const { run } = await notified(id, { home });
  const { outcome } = await notified(id, { home, runId: run.runId });
  expect(outcome).toEqual({ isOk: true, summary: 'Sent before.' });
  expect(await mailsTo(home.member)).toHaveLength(1);
});

it('a home gets a limited number of e-mails within an hour, which the run says, and more afterwards', async () => {
  const home = await aPlace(place.app);
  const { id } = await aNotify({ perHour: 2 });
  const runs = [await notified(id, { home }), await notified(id, { home }), await notified(id, { home })];
  expect(runs.map(({ outcome }) => outcome.isHeld ?? false)).toEqual([false, false, true]);
  expect(runs[2]?.outcome.summary).toContain('2 e-mails within an hour');
  const later = new Date(at.world.now().getTime() + hourMs + 1000);
  expect((await notified(id, { home, now: later })).outcome).toMatchObject({ summary: '1 e-mail sent' });
});

it('a test of the module does not use up the e-mails of the hour', async () => {
  const home = await aPlace(place.app);
  const { id } = await aNotify({ perHour: 1 });
  expect((await notified(id, { home, isTest: true })).outcome.summary).toBe('1 e-mail sent');
  expect((await notified(id, { home })).outcome.summary).toBe('1 e-mail sent');
  expect((await notified(id, { home })).outcome.isHeld).toBe(true);
});

it('an e-mail in the quiet hours of the home is postponed to their end, or dropped', async () => {
  const home = await aPlace(place.app);
  // 23:30 in Oslo, the night before a clock change.
  const now = new Date('2027-03-27T22:30:00Z');
  const quiet = { hasQuietTime: true, quietFrom: '22:00', quietTo: '07:00' };
  const { id: drops } = await aNotify({ ...quiet, inQuietTime: 'drop' });
  expect((await notified(drops, { home, now })).outcome).toMatchObject({ isHeld: true });
  expect(await mailsTo(home.member)).toEqual([]);
  const { id } = await aNotify(quiet);
  const { run, outcome } = await notified(id, { home, now });
  const until = new Date('2027-03-28T05:00:00Z');
  const summary = 'Postponed until the home’s quiet hours end at 07:00';
  expect(outcome).toEqual({ ...unsent(summary), putOffUntil: until });
  expect(await mailsTo(home.member)).toEqual([]);
  const then = await notified(id, { home, now: until, runId: run.runId });
  expect(then.outcome).toEqual({ isOk: true, summary: '1 e-mail sent' });
  expect(await mailsTo(home.member)).toHaveLength(1);
});

it('no more e-mails wait for the end of the quiet hours of a home than it gets in an hour', async () => {
  const home = await aPlace(place.app);
  const now = new Date('2027-03-27T22:30:00Z');
  const { id } = await aNotify({ hasQuietTime: true, perHour: 2 });
  const { db } = at.world.platform;
  const until = new Date('2027-03-28T05:00:00Z');
  for (const run of ['run_one', 'run_two'])
    await db.run(sql`
      insert into module_runs (project_id, module_id, id, seq, device_id, created_at, next_at, due_at)
      values (${at.projectId}, ${id}, ${run}, 1, ${home.device.id}, ${now}, ${until}, ${until})`);
  const { outcome } = await notified(id, { home, now });
  expect(outcome).toEqual(unsent('2 e-mails already wait for the end of the home’s quiet hours'));
  const again = await notified(id, { home, now, runId: 'run_two' });
  expect(again.outcome.putOffUntil).toEqual(until);
});

it('a user who unsubscribes gets no more e-mails of this module, but still those of other modules', async () => {
  const home = await aPlace(place.app);
  const [{ id: mine }, { id: other }] = [await aNotify(), await aNotify()];
  await notified(mine, { home });
  const [mail] = await mailsTo(home.member);
  const url = mail?.links.find(link => link.includes('/unsubscribe?token=')) ?? '';
  const get = async () => (await fetch(url)).text();
  const page = await get();
  expect(page).toContain('<button type="submit">Unsubscribe</button>');
  await notified(mine, { home });
  expect(await mailsTo(home.member)).toHaveLength(2);
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
  expect((await notified(mine, { home })).outcome).toEqual(unsent('No member of the home receives it'));
  await notified(other, { home });
  expect(await mailsTo(home.member)).toHaveLength(3);
  expect(await get()).toContain('Subscribe again');
  const again = new URLSearchParams({ token: new URL(url).searchParams.get('token') ?? '', again: 'yes' });
  await fetch(url, { method: 'POST', body: again });
  await notified(mine, { home });
  expect(await mailsTo(home.member)).toHaveLength(4);
});

it('an unsubscribe link that was altered or belongs to another project does nothing', async () => {
  const { id } = await aNotify();
  const home = await aPlace(place.app);
  await notified(id, { home });
  const [mail] = await mailsTo(home.member);
  const url = mail?.links.find(link => link.includes('/unsubscribe?')) ?? '';
  const { id: otherProject } = await at.world.aProject(at.owner);
  const bad = [`${url.slice(0, -4)}AAAA`, url.replace(at.projectId, otherProject), url.split('?')[0] ?? ''];
  for (const one of bad) expect((await fetch(one, { method: 'POST' })).status).toBe(400);
  expect((await notified(id, { home })).outcome.summary).toBe('1 e-mail sent');
});

it.each([
  ['subject', { subject: '{{ device.nmae }}' }, 'Did you mean device.name?'],
  ['subject', { subject: 'a\nb' }, 'one line'],
  ['text', { text: '{% for a in b %}' }, 'The tag for does not exist'],
  ['text', { text: '{{ event.payload.a.b }}' }, 'does not exist'],
  ['text', { text: '{{ payload.a }}' }, 'does not exist'],
])('an invalid %s is refused at its field: %j', async (field, config, message) => {
  const error = await failing(aNotify(config), 'INVALID_MODULE_CONFIG');
  expect(ConfigFaults.parse(error.context).faults).toEqual([
    { pointer: `/${field}`, message: expect.stringContaining(message) },
  ]);
});
