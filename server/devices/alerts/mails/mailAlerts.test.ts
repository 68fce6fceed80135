import { expect, it } from 'vitest';
import { changeAlert } from '#contract/alert.ts';
import { endAlertSubscription, listAlertSubscriptions, setAlertSubscription } from '#contract/alertMail.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { alerts } from '#server/devices/alerts/routes.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anAlert } from '#test/alerts.ts';
import { attempt } from '#test/attempt.ts';
import { aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { mailAlertsJob } from './mailAlerts.ts';

const at = aProjectWorld();

const minutely = () => mailAlertsJob(at.world.platform)({}, attempt);

/** A developer with a project, a device in it, and an alert subscription. */
async function aSubscriber(body: BodyOf<typeof setAlertSubscription>) {
  const developer = await at.world.aDeveloper();
  const { id: projectId } = await at.world.aProject(developer);
  const { id: deviceId } = await aDevice(developer, projectId, { name: 'Hall' });
  const params = { projectId };
  await developer.client.call(setAlertSubscription, { params, body });
  const raise = (given: Parameters<typeof anAlert>[2]) => anAlert(at.world, { projectId, deviceId }, given);
  const mails = async () =>
    (await at.world.mailsTo(developer.email)).filter(({ text }) => text.includes('/alerts?'));
  /**
   * Runs the job minute by minute until there are this many e-mails: a transaction in another database can delay an
   * alert by a minute.
   */
  const told = (count: number) =>
    until(async () => {
      await minutely();
      const all = await mails();
      return all.length >= count ? all : undefined;
    });
  return { developer, params, raise, mails, told };
}

it('an alert is e-mailed once, if it has the chosen severity', async () => {
  const { raise, mails, told } = await aSubscriber({ severity: 'warning' });
  await minutely();
  expect(await mails()).toEqual([]);
  await raise({ severity: 'info', key: 'a', text: 'Moved' });
  await raise({ severity: 'critical', key: 'b', text: 'Smoke' });
  await raise({ severity: 'critical', key: 'b', text: 'Smoke' });
  await told(1);
  at.world.pass(16 * minuteMs);
  await minutely();
  const all = await mails();
  expect(all.map(({ subject }) => subject)).toEqual(['Critical: Smoke – Hall']);
  expect(all[0]?.text).not.toContain('Moved');
});

it('a flood of alerts leads to one e-mail per quarter of an hour, with the alerts open by then', async () => {
  const { developer, raise, mails, told } = await aSubscriber({ severity: 'info' });
  await raise({ key: 'first', text: 'First' });
  await told(1);
  const { id } = await raise({ key: 'seen', text: 'Seen' });
  for (let n = 0; n < 25; n++) await raise({ key: `k${n}`, text: `Alert ${n}` });
  await developer.client.call(changeAlert, { params: { alertId: id }, body: { state: 'acknowledged' } });
  at.world.pass(14 * minuteMs);
  await minutely();
  expect(await mails()).toHaveLength(1);
  at.world.pass(2 * minuteMs);
  const [last, ...others] = await told(2);
  expect([last?.subject, others.length]).toEqual([expect.stringMatching(/^25 new alerts in /), 1]);
  expect(last?.text).not.toContain('Seen');
});

it('alerts with one cause are one line of an e-mail, which names the devices', async () => {
  const { developer, params, raise, told } = await aSubscriber({ severity: 'info' });
  const others = ['Attic', 'Cellar', 'Porch', 'Garage'];
  for (const name of others) {
    const { id: deviceId } = await aDevice(developer, params.projectId, { name });
    await anAlert(at.world, { ...params, deviceId }, { severity: 'critical', text: `Smoke in ${name}` });
  }
  const [first] = await told(1);
  expect(first?.subject).toBe('Critical: Smoke in Garage – 4 devices');
  expect(first?.text).toContain('There are 4 new alerts in the project');
  expect(first?.text).toContain('with one cause.');
  expect(first?.text).toMatch(/Smoke in Garage – Garage, Porch, Cellar and 1 more device, since /);
  expect(first?.text).not.toContain('Smoke in Porch');

  at.world.pass(16 * minuteMs);
  await raise({ key: 'battery', text: 'Battery low' });
  await raise({ key: 'battery', text: 'Battery low' });
  await raise({ severity: 'critical', key: 'leak', text: 'Leak' });
  const last = (await told(2)).find(({ subject }) => subject.startsWith('2 new alerts in '));
  expect(last?.text).toContain('with 2 causes.');
  expect(last?.text).toMatch(/Leak – Hall, .*Battery low – Hall, .*, reported 2 times/s);
});

it('no e-mail is sent in quiet hours, and all alerts are reported afterwards', async () => {
  const time = (ms: number) => new Date(at.world.now().getTime() + ms).toISOString().slice(11, 16);
  const quiet = { from: time(-60 * minuteMs), to: time(60 * minuteMs), timeZone: 'UTC' };
  const { raise, mails, told } = await aSubscriber({ severity: 'info', quiet });
  await raise({});
  await minutely();
  expect(await mails()).toEqual([]);
  at.world.pass(61 * minuteMs);
  expect(await told(1)).toHaveLength(1);
});

it('quiet hours that begin when they end are refused, as nobody wants no e-mails for good', async () => {
  const { developer, params } = await aSubscriber({ severity: 'info' });
  const quiet = { from: '22:00', to: '22:00', timeZone: 'UTC' };
  const set = developer.client.call(setAlertSubscription, { params, body: { severity: 'info', quiet } });
  const error = await failing(set, 'INVALID_FIELDS');
  expect(Object.keys(error.fields ?? {})).toEqual(['quiet.to']);
});

it('a lower minimum severity adds alerts from then on, and loses none of those that wait to be e-mailed', async () => {
  const { developer, params, raise, told } = await aSubscriber({ severity: 'critical' });
  await raise({ severity: 'warning', key: 'old', text: 'Old' });
  await raise({ severity: 'critical', key: 'fire', text: 'Fire' });
  await developer.client.call(setAlertSubscription, { params, body: { severity: 'info' } });
  await raise({ severity: 'info', key: 'new', text: 'New' });
  const [mail] = await told(1);
  expect(mail?.text).toContain('Fire');
  expect(mail?.text).not.toContain('Old');
  at.world.pass(16 * minuteMs);
  await raise({ severity: 'info', key: 'last', text: 'Last' });
  expect((await told(2)).map(({ text }) => text).join()).toContain('New');
});

it('an alert that becomes more severe is e-mailed again', async () => {
  const { raise, told } = await aSubscriber({ severity: 'warning' });
  await raise({ severity: 'warning' });
  await told(1);
  at.world.pass(16 * minuteMs);
  await raise({ severity: 'critical', text: 'Fire' });
  expect((await told(2))[0]?.subject).toBe('Critical: Fire – Hall');
});

it('the link unsubscribes by its button or one click in the mail program, and a forged link does not', async () => {
  const { developer, raise, told } = await aSubscriber({ severity: 'info' });
  await raise({});
  const url = /https?:\S+\/unsubscribe\/alerts\?token=\S+/.exec((await told(1))[0]?.text ?? '')?.[0] ?? '';
  const { pathname, search } = new URL(url);
  const here = (path: string) => new URL(path, at.world.url);
  const look = await fetch(here(`${pathname}${search}`));
  expect([look.status, await look.text()]).toEqual([200, expect.stringContaining('Unsubscribe')]);
  const ofDeveloper = { params: { developerId: developer.developer.id } };
  const list = () => developer.client.call(listAlertSubscriptions, ofDeveloper);
  // Mail scanners follow links, so opening the link alone must not unsubscribe.
  expect(await list()).toHaveLength(1);
  const click = (token: string) =>
    fetch(here(`${pathname}?token=${token}`), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
  expect((await click(`${new URLSearchParams(search).get('token')?.slice(0, -4)}AAAA`)).status).toBe(400);
  expect(await list()).toHaveLength(1);
  expect((await click(new URLSearchParams(search).get('token') ?? '')).status).toBe(200);
  expect(await list()).toEqual([]);
});

it('a developer who leaves the team gets no more e-mails, and invalid subscriptions are refused', async () => {
  const { developer, params, raise, mails } = await aSubscriber({ severity: 'info' });
  const other = await at.world.aDeveloper();
  await failing(
    other.client.call(setAlertSubscription, { params, body: { severity: 'info' } }),
    'NOT_A_MEMBER',
  );
  const quiet = { from: '22:00', to: '07:00', timeZone: 'Mars/Olympus' };
  await failing(
    developer.client.call(setAlertSubscription, { params, body: { severity: 'info', quiet } }),
    'TIME_ZONE_UNKNOWN',
  );
  await developer.client.call(endAlertSubscription, { params });
  await raise({});
  await minutely();
  expect(await mails()).toEqual([]);
});

it('more subscribers than are checked in a minute get e-mails in turn, even if the first are in quiet hours', async () => {
  const time = at.world.now().toISOString().slice(11, 16);
  const hours = Number(time.slice(0, 2));
  const around = (offset: number) => `${String((hours + offset + 24) % 24).padStart(2, '0')}:00`;
  const quiet = { from: around(-1), to: around(2), timeZone: 'UTC' };
  const subscribers = [
    await aSubscriber({ severity: 'info', quiet }),
    await aSubscriber({ severity: 'info' }),
  ];
  for (const { raise } of subscribers) await raise({ text: 'Smoke' });
  const minutely = mailAlertsJob(at.world.platform, 1);
  const [quietOnes, others] = [() => subscribers[0]?.mails(), () => subscribers[1]?.mails()];
  await until(async () => {
    await minutely({}, attempt);
    return (await others())?.length || undefined;
  });
  expect([await quietOnes(), (await others())?.length]).toEqual([[], 1]);
});

it('an alert from a backup is not e-mailed again once the transactions of the new database have caught up', async () => {
  const { raise, mails, told } = await aSubscriber({ severity: 'info' });
  await raise({ key: 'old', text: 'Old' });
  await told(1);
  const { db } = at.world.platform;
  // As in a backup of a database that had counted further; the other tests of the run count as well.
  await db.run(sql`
    update alerts set opened_tx = (pg_current_xact_id()::text::bigint + 500)::text::xid8 where text = 'Old'`);
  await alerts.hourly?.(at.world.platform);
  for (let n = 0; n < 510; n++) await db.run(sql`select pg_current_xact_id()`);
  at.world.pass(16 * minuteMs);
  await raise({ key: 'new', text: 'New' });
  await told(2);
  expect((await mails())[0]?.text).not.toContain('Old');
});
