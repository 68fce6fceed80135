import { beforeAll, expect, it } from 'vitest';
import { type LogEntry, readLogEntries } from '#contract/log.ts';
import { deleteProject, editProject } from '#contract/project.ts';
import { addMember } from '#contract/team.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { failing } from '#test/failing.ts';
import { type SignedIn, theWorld } from '#test/world.ts';

const world = theWorld();
let ada: SignedIn;
let viewer: SignedIn;
let projectId: string;
beforeAll(async () => {
  [ada, viewer] = await Promise.all([world.aDeveloper(), world.aDeveloper({ name: 'Vera Viewer' })]);
  projectId = (await world.aProject(ada)).id;
  await ada.client.call(addMember, { params: { projectId }, body: { email: viewer.email, role: 'viewer' } });
});

async function refusals(): Promise<LogEntry[]> {
  const query = {
    begin: new Date(world.now().getTime() - dayMs).toISOString(),
    end: new Date(world.now().getTime() + dayMs).toISOString(),
    level: 1,
  };
  return ada.client.call(readLogEntries, { params: { projectId }, query });
}

const tryToEdit = () =>
  failing(viewer.client.call(editProject, { params: { projectId }, body: { name: 'Mine' } }), 'ROLE_TOO_LOW');

it('an attempt that a member’s role does not allow is recorded in the project’s log as a warning', async () => {
  await tryToEdit();
  expect(await refusals()).toEqual([
    expect.objectContaining({
      level: 1,
      action: 'editProject',
      actor: { callerType: 'developer', id: viewer.developer.id, displayName: 'Vera Viewer' },
      text: `Refused (ROLE_TOO_LOW): ${editProject.summary.split('. ')[0]}.`,
      detail: expect.objectContaining({ reason: 'ROLE_TOO_LOW' }),
    }),
  ]);
});

it('repeated attempts are recorded once a minute for each call', async () => {
  await tryToEdit();
  await tryToEdit();
  expect(await refusals()).toHaveLength(1);
  await failing(viewer.client.call(deleteProject, { params: { projectId } }), 'ROLE_TOO_LOW');
  expect(await refusals()).toHaveLength(2);
  world.pass(minuteMs);
  await tryToEdit();
  expect(await refusals()).toHaveLength(3);
});

it('a role check inside a handler is recorded too', async () => {
  const developer = await world.aDeveloper();
  const member = { email: developer.email, role: 'developer' as const };
  await ada.client.call(addMember, { params: { projectId }, body: member });
  const body = { forgetDeviceKeys: true };
  await failing(developer.client.call(editProject, { params: { projectId }, body }), 'ROLE_TOO_LOW');
  expect((await refusals()).map(({ actor }) => actor.id)).toContain(developer.developer.id);
});

it('rejected calls of strangers are not recorded in a project’s log', async () => {
  const before = await refusals();
  const stranger = await world.aDeveloper();
  await failing(
    stranger.client.call(editProject, { params: { projectId }, body: { name: 'x' } }),
    'NOT_A_MEMBER',
  );
  expect(await refusals()).toEqual(before);
});
