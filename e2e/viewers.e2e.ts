import { createSmartModule } from '#contract/smartModule.ts';
import { aDevice, connected, openToEnd, test } from './devices/devicePage.ts';
import { aBundle } from './firmware/firmwarePage.ts';
import { expect, expectAccessible } from './world.ts';

test('a viewer replays a saved rule, and a link to its test says why it does not open', async ({
  developer,
  project,
  open,
  aMember,
}) => {
  await developer.client.call(createSmartModule, {
    params: { projectId: project.id },
    body: {
      id: 'too-warm',
      moduleType: 'rule',
      subscribedEvents: ['_state_'],
      configData: {
        condition: 'state.celsius > 30',
        acts: 'each',
        actions: [{ kind: 'alert', text: 'Hot' }],
      },
    },
  });
  await using hardware = await connected(developer, await aDevice(developer, project, { name: 'Garage' }));
  for (const celsius of [31, 20]) await hardware.say('state', { celsius });
  const page = await open(await aMember(project, 'viewer'));
  await page.goto(`/projects/${project.id}/smart_modules/too-warm#test`);
  await expect(page.getByText('Test rule: your role in this project does not allow this.')).toBeVisible();
  const replay = page.getByRole('region', { name: 'Replay', exact: true });
  await expect(replay).toContainText(/\d events of 1 device in/);
  await expect(replay.getByRole('table')).toContainText('31');
  await expectAccessible(page);
});

test('a viewer is offered nothing that ends in a refusal', async ({
  developer,
  project,
  platform,
  open,
  aMember,
}) => {
  const device = await aDevice(developer, project);
  await aBundle(developer, project, platform.url, 'winter-24', '1.0');
  const page = await open(await aMember(project, 'viewer'));
  await page.goto(`/projects/${project.id}/firmware`);
  await expect(page.getByText('No channel yet, so its devices get no updates.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create a channel' })).toHaveCount(0);
  await openToEnd(page, device);
  await expect(page.getByText('YOUR_DEVICE_KEY instead of the key.')).toBeVisible();
  await expect(page.getByText('Show the key to include it.')).toHaveCount(0);
});

test('an address that does not exist says so in the title', async ({ page, expectRefused }) => {
  expectRefused('404 GET /api/organizations/nope');
  await page.goto('/nowhere');
  await expect(page.getByText('This page does not exist.')).toBeVisible();
  await expect(page).toHaveTitle('Not found · Mooring');
  await page.goto('/orgs/nope/');
  await expect(page.getByText('ORG_NOT_FOUND')).toBeVisible();
  await expect(page).toHaveTitle('Not found · Mooring');
});
