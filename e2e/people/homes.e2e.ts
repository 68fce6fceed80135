import { createDevice, editDevice, readDevice } from '#contract/device.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { addHomeMember, createHome, listHomeMembers } from '#contract/home.ts';
import { addHomeDevice } from '#contract/homeDevice.ts';
import { editProject, type Project } from '#contract/project.ts';
import { createUser } from '#contract/user.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { aBundle } from '../firmware/firmwarePage.ts';
import { anEmail, expect, expectAccessible, expectNoSidewaysScroll, test } from '../world.ts';

const deviceClass = 'thermostat';

/** A home of Ingrid's, with Erik as a member and a device in it. */
async function aHome({ client }: Newcomer, { id: projectId }: Project) {
  const person = (name: string) => {
    const email = anEmail(name.toLowerCase());
    const body = { projectId, email, name, password: 'a lantern at low tide 7' };
    return client.call(createUser, { body });
  };
  const ingrid = await person('Ingrid');
  const erik = await person('Erik');
  const body = { projectId, ownerId: ingrid.id, name: 'Lindqvist, Oslo', timeZone: 'Europe/Oslo' };
  const home = await client.call(createHome, { body });
  const params = { homeId: home.id };
  await client.call(addHomeMember, { params, body: { userId: erik.id, role: 'member' } });
  await client.call(createDeviceClass, { params: { projectId }, body: { id: deviceClass } });
  const device = await client.call(createDevice, {
    body: { projectId, deviceClass, tag: 'attic-1', name: 'Attic' },
  });
  await client.call(addHomeDevice, { params, body: { deviceId: device.id } });
  return { erik, home, deviceId: device.id, params, address: `/projects/${projectId}/homes/${home.id}` };
}

test('members get roles, a guest gets a device and a time window, and an unknown address gets an invitation', async ({
  page,
  developer,
  project,
}) => {
  const { client } = developer;
  const body = { enablePermissionBasedAccessControl: true };
  await client.call(editProject, { params: { projectId: project.id }, body });
  const { address, params, erik } = await aHome(developer, project);
  await page.goto(address);
  const members = page.getByRole('region', { name: 'Members' });
  await expect(members.getByRole('row', { name: /Ingrid/ })).toContainText('Owner');
  await expectAccessible(page);

  await members.getByRole('button', { name: /Role of Erik/ }).click();
  await page.getByRole('menuitem', { name: 'Admin' }).click();
  await expect(page.getByText('Role changed')).toBeVisible();
  await expect(members.getByRole('button', { name: /Role of Erik: Admin/ })).toBeVisible();

  await members.getByRole('button', { name: /Role of Erik/ }).click();
  await page.getByRole('menuitem', { name: 'Guest' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit access' });
  await dialog.getByRole('button', { name: 'Save access' }).click();
  await expect(dialog.getByText('Choose at least one device.')).toBeVisible();
  await dialog.getByLabel('Attic', { exact: true }).check();
  await dialog.getByLabel('Only at certain times of the week').check();
  await dialog.getByRole('button', { name: 'Tue' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save access' }).click();
  await expect(members).toContainText(
    'Erik sees Attic, without controlling, Mondays, Wednesdays, Thursdays and Fridays, 08:00 to 17:00.',
  );
  const stored = await client.call(listHomeMembers, { params });
  expect(stored.find(({ userId }) => userId === erik.id)).toMatchObject({
    role: 'guest',
    guest: { weekly: { days: [1, 3, 4, 5], from: '08:00', to: '17:00' } },
  });

  const invited = anEmail('nils');
  await page.getByRole('button', { name: 'Add member' }).click();
  await page.getByRole('dialog').getByRole('searchbox', { name: 'User' }).fill(invited);
  await page.getByRole('button', { name: `Add ${invited}` }).click();
  await expect(members.getByRole('row', { name: invited })).toContainText('invited');
  await members.getByRole('button', { name: `Actions for ${invited}` }).click();
  await page.getByRole('menuitem', { name: 'Revoke invitation' }).click();
  await page.getByRole('button', { name: 'Revoke invitation' }).click();
  await expect(members.getByRole('row', { name: invited })).toHaveCount(0);
});

test('with legacy access control all members are equal, until an owner permanently turns on roles', async ({
  page,
  developer,
  project,
  aMember,
  open,
}) => {
  const { address } = await aHome(developer, project);
  await page.goto(address);
  const members = page.getByRole('region', { name: 'Members' });
  await expect(members.getByRole('columnheader', { name: 'Joined' })).toBeVisible();
  await expect(members.getByRole('columnheader', { name: 'Configure' })).toHaveCount(0);
  await expect(members.getByRole('button', { name: /Role of/ })).toHaveCount(0);

  await page.getByRole('button', { name: 'Offer transfer' }).click();
  await page.getByRole('dialog').getByRole('radio', { name: /Erik/ }).check();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Offer transfer' }).click();
  const ownership = page.getByRole('region', { name: 'Ownership' });
  await expect(ownership).toContainText('Offered to Erik');
  await ownership.getByRole('button', { name: 'Withdraw offer' }).click();
  await expect(ownership.getByRole('button', { name: 'Offer transfer' })).toBeVisible();

  const viewer = await open(await aMember(project, 'viewer'));
  await viewer.goto(address);
  await expect(viewer.getByRole('region', { name: 'Members' })).toContainText('Ingrid');
  await expect(viewer.getByRole('button', { name: /Add|Offer|Prepare|Actions|More/ })).toHaveCount(0);

  await page.getByRole('button', { name: 'Enable permissions' }).click();
  await expect(page.getByRole('dialog')).toContainText('This change is irreversible. Are you sure?');
  await page.getByRole('dialog').getByRole('button', { name: 'Enable permissions' }).click();
  await expect(members.getByRole('columnheader', { name: 'Configure' })).toBeVisible();
  // Open windows of others show it by themselves.
  await expect(viewer.getByRole('columnheader', { name: 'Configure' })).toBeVisible();
});

test('the actions of a device can be reached at any width', async ({
  page,
  developer,
  project,
  platform,
}) => {
  const { address, deviceId } = await aHome(developer, project);
  // The firmware column appears with an update.
  const bundle = await aBundle(developer, project, platform.url, 'winter-24', '1.0');
  await developer.client.call(editDevice, { params: { deviceId }, body: { bundlePinned: bundle.id } });
  await page.setViewportSize({ width: 1440, height: 800 });
  await page.goto(address);
  await expect(page.getByRole('columnheader', { name: 'Firmware' })).toBeVisible();
  for (const width of [390, 768, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await page.getByRole('button', { name: 'Actions for Attic' }).click();
    await expect(page.getByRole('menuitem', { name: 'Release from home' })).toBeVisible();
    await page.keyboard.press('Escape');
  }
});

test('devices are added to a home, and released with a new claim code', async ({
  page,
  developer,
  project,
  expectRefused,
}) => {
  const { client } = developer;
  const { address, home } = await aHome(developer, project);
  const body = { projectId: project.id, deviceClass, tag: 'cellar-05' };
  const other = await client.call(createDevice, { body });
  await page.goto(`${address}#device`);
  await page
    .getByRole('dialog')
    .getByRole('radio', { name: /cellar-05/ })
    .check();
  await page.getByRole('dialog').getByRole('button', { name: 'Add device' }).click();
  const devices = page.getByRole('region', { name: 'Devices' });
  await expect(devices.getByRole('row', { name: /cellar-05/ })).toContainText('Your team');

  await devices.getByRole('link', { name: 'Attic' }).click();
  const identity = page.getByRole('region', { name: 'Identity' });
  await expect(identity.getByRole('link', { name: 'Lindqvist, Oslo' })).toBeVisible();
  await expect(identity.getByRole('link', { name: 'Ingrid' })).toBeVisible();
  await page.goBack();

  await devices.getByRole('button', { name: 'Actions for cellar-05' }).click();
  await page.getByRole('menuitem', { name: 'Release from home' }).click();
  await page.getByRole('button', { name: 'Release device' }).click();
  const released = page.getByRole('dialog', { name: 'Device released' });
  const { claimCode = '' } = await client.call(readDevice, { params: { deviceId: other.id } });
  await expect(released.getByRole('button', { name: `Copy claim code: ${claimCode}` })).toBeVisible();
  await expectAccessible(page);
  await released.getByRole('button', { name: 'Close' }).last().click();
  await expect(devices.getByRole('row', { name: /cellar-05/ })).toHaveCount(0);

  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete home' }).click();
  await expect(page.getByRole('dialog')).toContainText('Do you really want to delete home Lindqvist, Oslo?');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete home' }).click();
  await expect(page).toHaveURL(`/projects/${project.id}/homes`);
  expectRefused(/^404 GET \/api\/homes\/\d+(\/devices)?$/);
  await page.goto(address);
  await expect(page.getByRole('heading', { name: `Home ${home.id} does not exist.` })).toBeVisible();
});
