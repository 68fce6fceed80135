import { expect, it } from 'vitest';
import type { App } from '#contract/app.ts';
import { claimDevice, listMyDevices, releaseMyDevice } from '#contract/appApi/device.ts';
import { createMyHome } from '#contract/appApi/home.ts';
import { readLogEntries } from '#contract/log.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { atOnce } from '#test/atOnce.ts';
import { anEndUser, type EndUser } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();
let app: App | undefined;

interface Resident extends EndUser {
  homeId: string;
  claim(claimCode: string | undefined, homeId?: string): ReturnType<typeof claimOf>;
}

function claimOf(user: EndUser, claimCode: string | undefined, homeId: string) {
  return user.client.call(claimDevice, { body: { claimCode: claimCode ?? '', homeId } });
}

/** A user with a home. */
async function aResident(): Promise<Resident> {
  app ??= await anApp(at.owner, at.projectId);
  const user = await anEndUser(at.world, app);
  const home = await user.client.call(createMyHome, { body: { name: 'Home', timeZone: 'Europe/Oslo' } });
  return {
    ...user,
    homeId: home.id,
    claim: (claimCode, homeId = home.id) => claimOf(user, claimCode, homeId),
  };
}

const devicesOf = ({ client, homeId }: Resident) => client.call(listMyDevices, { params: { homeId } });
/** Resets the counts of earlier guesses in this file. */
const forgive = () => at.world.platform.db.run(sql`delete from login_failures`);

it('of twenty homes that claim a code at the same instant, one gets the device', async () => {
  const { id, claimCode } = await at.device();
  const residents = await Promise.all(Array.from({ length: 20 }, aResident));
  const { answers, reasons } = await atOnce(20, n => residents[n]?.claim(claimCode) ?? Promise.reject());
  expect(answers).toMatchObject([{ id, rights: ['view', 'control', 'configure', 'invite', 'own'] }]);
  expect(reasons).toEqual(Array(19).fill('CLAIM_CODE_WRONG'));
  const owners = await Promise.all(residents.map(devicesOf));
  expect(owners.filter(devices => devices.length > 0)).toMatchObject([[{ id }]]);
});

it('the same home can repeat a claim, and a code that is used, wrong or of another project gets one answer', async () => {
  await forgive();
  const [mine, other] = [await aResident(), await aResident()];
  const device = await at.device();
  const first = await mine.claim(device.claimCode);
  expect(await mine.claim(device.claimCode)).toEqual(first);
  const elsewhere = await at.world.aProject(at.owner);
  const { db } = at.world.platform;
  await db.run(sql`
    insert into device_classes (project_id, id, created_at) values (${elsewhere.id}, 'lamp', now())`);
  await db.run(sql`
    insert into devices (project_id, id, device_class, claim_code, key_hash, key_end, created_at)
    values (${elsewhere.id}, 'dev_elsewhere', 'lamp', 'ELSEWHERE1', '', '', now())`);
  const refused = [
    await failing(other.claim(device.claimCode), 'CLAIM_CODE_WRONG'),
    await failing(other.claim('NOSUCHCODE'), 'CLAIM_CODE_WRONG'),
    await failing(other.claim('ELSEWHERE1'), 'CLAIM_CODE_WRONG'),
    await failing(mine.claim(first.id), 'CLAIM_CODE_WRONG'),
  ];
  expect(new Set(refused.map(({ status, message }) => `${status} ${message}`)).size).toBe(1);
});

it('a code is accepted in lower case, with separators', async () => {
  const mine = await aResident();
  const { id, claimCode = '' } = await at.device();
  const typed = `${claimCode.slice(0, 5)}-${claimCode.slice(5)} `.toLowerCase();
  expect((await mine.claim(typed)).id).toBe(id);
});

it('a user who guesses codes must wait, even with valid claims in between', async () => {
  await forgive();
  const mine = await aResident();
  let claimCode = (await at.device()).claimCode;
  for (let i = 0; i < 9; i++) {
    at.world.pass(30_000);
    const { id } = await mine.claim(claimCode);
    expect((await mine.claim(claimCode)).id).toBe(id);
    ({ claimCode } = await mine.client.call(releaseMyDevice, { params: { deviceId: id } }));
    at.world.pass(30_000);
    await failing(mine.claim(`GUESSGUES${i}`), 'CLAIM_CODE_WRONG');
  }
  const { retryAfterS = 0 } = await failing(mine.claim(claimCode), 'TOO_MANY_REQUESTS');
  expect(retryAfterS).toBeGreaterThan(10);
  at.world.pass(30_000);
  expect(await mine.claim(claimCode)).toMatchObject({ homeId: mine.homeId });
});

it('one address cannot guess codes for many users', async () => {
  await forgive();
  const outcomes: string[] = [];
  for (let i = 0; i < 10; i++) {
    const user = await aResident();
    const { reasons } = await atOnce(4, n => user.claim(`GUESS${i}${n}`));
    outcomes.push(...reasons);
  }
  expect(outcomes.filter(reason => reason === 'TOO_MANY_REQUESTS').length).toBeGreaterThan(0);
  expect(outcomes.filter(reason => reason === 'CLAIM_CODE_WRONG').length).toBeGreaterThanOrEqual(19);
  await forgive();
});

it('a claim for another user’s home or for a full one fails, and the log shows who tried', async () => {
  const [mine, other] = [await aResident(), await aResident()];
  const { claimCode } = await at.device();
  await failing(mine.claim(claimCode, other.homeId), 'HOME_NOT_FOUND');
  await failing(mine.claim('NOSUCHCODE'), 'CLAIM_CODE_WRONG');
  const now = at.world.now().getTime();
  const query = {
    begin: new Date(now - hourMs).toISOString(),
    end: new Date(now + hourMs).toISOString(),
  };
  const params = { projectId: at.projectId };
  const entries = await at.owner.client.call(readLogEntries, { params, query });
  expect(entries.filter(({ actor }) => actor.id === mine.id)).toMatchObject([
    { text: expect.stringContaining('CLAIM_CODE_WRONG'), detail: { app: app?.id } },
    { action: 'createMyHome' },
  ]);
  await at.world.platform.db.run(sql`
    insert into devices (project_id, id, device_class, home_id, owned_since, key_hash, key_end, created_at)
    select d.project_id, d.id || n, device_class, ${mine.homeId}, now(), ''::bytea, '', now()
    from devices d cross join generate_series(1, 999) n
    where d.project_id = ${at.projectId} and d.claim_code = ${claimCode}`);
  await failing(mine.claim(claimCode), 'HOME_FULL');
});

it('the audit log does not take the home for the device of a wrong code', async () => {
  await forgive();
  const mine = await aResident();
  await failing(mine.claim('WR0NGC0DE1'), 'CLAIM_CODE_WRONG');
  const now = at.world.now().getTime();
  const [entry] = await at.owner.client.call(readLogEntries, {
    params: { projectId: at.projectId },
    query: {
      begin: new Date(now - hourMs).toISOString(),
      end: new Date(now + hourMs).toISOString(),
      action: claimDevice.name,
      level: 1,
      maxEntries: 1,
    },
  });
  expect(entry?.text).toBe(`Refused (CLAIM_CODE_WRONG): A device claimed for home ${mine.homeId}`);
});
