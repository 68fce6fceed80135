import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testSmartModule } from '#contract/moduleRun.ts';
import { editProject } from '#contract/project.ts';
import { createSmartModule, editSmartModule } from '#contract/smartModule.ts';
import { addMember } from '#contract/team.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { readMails } from '#server/mail/sending/waiting.ts';
import { sendPostponedJob } from '#server/modules/actions/sendPostponed.ts';
import { anApp } from '#test/apps.ts';
import { attempt } from '#test/attempt.ts';
import { anEndUser, type CalledApp } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aHome, inHome, inRole } from '#test/homes.ts';
import { untilRuns } from '#test/modules.ts';
import { allDone, aRuleWorld } from '#test/ruleWorld.ts';
import { unique } from '#test/world.ts';

const at = aRuleWorld();
let app: CalledApp;
beforeAll(async () => {
  app = await anApp(at.owner, at.projectId);
});
// Beyond the hour of any other test.
beforeEach(() => at.world.pass(2 * hourMs));

const toHome = { kind: 'email', to: 'members', subject: 'Hot', text: 'Too hot' };

/** Quiet hours in UTC that last for another hour. */
function quietNow() {
  const time = (ms: number) => new Date(at.world.now().getTime() + ms).toISOString().slice(11, 16);
  return { from: time(-hourMs), to: time(hourMs), timeZone: 'UTC' };
}

/** A sensor in a home with a member, and a rule that e-mails them when it is hot. */
async function aHotHome(action: object = toHome) {
  const sensor = await at.aSensor();
  const homeId = await aHome(at.world, at.projectId);
  await inHome(at.world, homeId, [sensor.device.id]);
  const member = await anEndUser(at.world, app);
  await inRole(at.world, homeId, member, 'member');
  const rule = await at.aRule(
    { condition: 'event.payload.hot', acts: 'each', actions: [action] },
    sensor.deviceClass,
    ['door'],
  );
  const mails = async () =>
    (await readMails(at.world.platform.db, at.world.platform.sealing)).filter(
      ({ to }) => to === member.email,
    );
  let count = 0;
  /** Reports heat, and returns the summary of the run. */
  async function heat(): Promise<string> {
    at.world.pass(2_000);
    await sensor.here.say('events/door', { hot: true });
    count += 1;
    return (await untilRuns(at.world, rule, allDone(count))).at(-1)?.summary ?? '';
  }
  return { ...sensor, homeId, member, rule, mails, heat };
}

const minutely = () => sendPostponedJob(at.world.platform)({}, attempt);

describe('an e-mail of a rule', () => {
  it('that waits for the end of quiet hours goes to those who are in the home by then', async () => {
    const { here, homeId, member, mails, heat } = await aHotHome({ ...toHome, quiet: quietNow() });
    await using _ = here;
    expect(await heat()).toMatch(/^Postponed until quiet hours end at \d\d:\d\d$/);
    const later = await anEndUser(at.world, app);
    await inRole(at.world, homeId, later, 'member');
    await at.world.platform.db.run(
      sql`delete from home_members where home_id = ${homeId} and user_id = ${member.id}`,
    );
    await minutely();
    at.world.pass(hourMs + minuteMs);
    await minutely();
    await minutely();
    expect(await mails()).toEqual([]);
    const all = await readMails(at.world.platform.db, at.world.platform.sealing);
    expect(all.filter(({ to }) => to === later.email)).toHaveLength(1);
  });

  it('that waits is cancelled when the rule is suspended', async () => {
    const { here, rule, mails, heat } = await aHotHome({ ...toHome, quiet: quietNow() });
    await using _ = here;
    await heat();
    const params = { projectId: at.projectId, moduleId: rule };
    await at.owner.client.call(editSmartModule, { params, body: { suspended: true } });
    at.world.pass(hourMs + minuteMs);
    await minutely();
    expect(await mails()).toEqual([]);
  });

  it('is not sent to a member of a home who unsubscribed from it', async () => {
    const { here, mails, heat } = await aHotHome();
    await using _ = here;
    await heat();
    const [mail] = await mails();
    const url = mail?.links.find(link => link.includes('/unsubscribe?token=')) ?? '';
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
    expect(await heat()).toBe('No recipients');
    expect(await mails()).toHaveLength(1);
  });

  it('that reaches nobody, or belongs to a test, does not count towards the limit of an hour', async () => {
    const { here, rule, member, mails, heat } = await aHotHome();
    await using _ = here;
    const { db } = at.world.platform;
    await db.run(sql`
      insert into module_acts (project_id, module_id, run_id, number, kind, summary, at)
      select ${at.projectId}, ${rule}, ${rule} || n, 0, 'email', '', ${at.world.now()} from generate_series(1, 199) n`);
    const suspend = (is: boolean) => db.run(sql`update users set suspended = ${is} where id = ${member.id}`);
    await suspend(true);
    expect(await heat()).toBe('No recipients');
    await suspend(false);
    const params = { projectId: at.projectId, moduleId: rule };
    await at.owner.client.call(testSmartModule, { params, body: { act: true } });
    expect(await mails()).toHaveLength(1);
    at.world.pass(2_000);
    await here.say('events/door', { hot: true });
    const runs = await untilRuns(at.world, rule, allDone(3));
    expect(runs.map(({ summary }) => summary)).toContain(`To ${member.email}`);
    expect(await mails()).toHaveLength(2);
  });

  it('goes to no developer who was invited and has not accepted', async () => {
    const { here, heat } = await aHotHome({ ...toHome, to: 'team' });
    await using _ = here;
    const email = `${unique('invited')}@example.com`;
    await at.owner.client.call(addMember, { params: { projectId: at.projectId }, body: { email } });
    expect(await heat()).toBe(`To ${at.owner.email}`);
    expect(await at.world.mailsTo(email)).toHaveLength(1);
  });

  it('goes to no member of a home if the users of the project get theirs from another back end', async () => {
    const { here, mails, heat } = await aHotHome();
    await using _ = here;
    const params = { projectId: at.projectId };
    await at.owner.client.call(editProject, { params, body: { userAccountMode: 'external' } });
    expect(await heat()).toBe('The users of this project get their e-mails from your own back end.');
    await at.owner.client.call(editProject, { params, body: { userAccountMode: 'email' } });
    expect(await mails()).toEqual([]);
  });
});

it.each([
  [
    'rule',
    '/actions/0/quiet/to',
    { condition: 'true', actions: [{ ...toHome, quiet: { from: '22:00', to: '22:00', timeZone: 'UTC' } }] },
  ],
  [
    'notify',
    '/quietTo',
    { subject: 'a', text: 'b', hasQuietTime: true, quietFrom: '07:00', quietTo: '07:00' },
  ],
] as const)(
  'quiet hours of a %s that begin when they end are refused at their field',
  async (moduleType, pointer, configData) => {
    const message = 'Quiet hours must begin and end at different times.';
    const body = { id: unique('module'), moduleType, configData: configData as never };
    const error = await failing(
      at.owner.client.call(createSmartModule, { params: { projectId: at.projectId }, body }),
      'INVALID_MODULE_CONFIG',
    );
    expect(error.context).toEqual({ faults: [{ pointer, message }] });
  },
);
