import type { Page } from '@playwright/test';
import { createChannel } from '#contract/channel.ts';
import { aDevice } from '../devices/devicePage.ts';
import { expect, expectAccessible, expectNoSidewaysScroll } from '../world.ts';
import { aBundle, aComponent, aReadyVersion, place, test, versionPlace } from './componentsPage.ts';

const needed = 'You must have at least one device class and one usable component before creating a bundle.';

test('a bundle needs a class and a component with a verified file, and says so', async ({
  page,
  developer,
  project,
}) => {
  await aComponent(developer, project);
  await page.goto(place(project, 'bundles'));
  await expect(page.getByText('No bundles yet')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('c');
  await expect(page.getByText(needed)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('link', { name: 'Go to components' }).click();
  await expect(page).toHaveURL(/components$/);
});

test('a bundle is created by keyboard alone, cloned, edited, compared and deleted', async ({
  page,
  developer,
  project,
  expectRefused,
}) => {
  expectRefused('404 GET /api/bundles/bnd_gone');
  const os = await aComponent(developer, project);
  const old = await aReadyVersion(developer, os, '4.1.3');
  await aReadyVersion(developer, os, '4.2.0');
  const boot = await aReadyVersion(developer, await aComponent(developer, project, 'boot'), '1.0');
  await page.goto(place(project, 'bundles'));
  await expect(page.getByText('No bundles yet')).toBeVisible();
  await page.keyboard.press('c');
  await page.getByRole('dialog').getByLabel('Name').focus();
  await page.keyboard.type('winter-24');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Choose a version of at least one component.')).toBeVisible();
  await page.getByRole('combobox', { name: 'gateway-os' }).selectOption(old.name);
  await page.getByRole('combobox', { name: 'boot' }).selectOption(boot.name);
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Create bundle' }).press('Enter');
  await expect(page).toHaveURL(/bundles\/bnd_\w+$/);
  await expect(page.getByRole('link', { name: '4.1.3' })).toBeVisible();
  await expectAccessible(page);

  // The palette finds it by name from any screen, as it does components and channels.
  await page.goto(place(project, 'components'));
  await expect(page.getByRole('link', { name: 'gateway-os' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('winter');
  await expect(page.getByRole('option', { name: 'winter-24' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/bundles\/bnd_\w+$/);
  await expect(page.getByRole('heading', { name: 'winter-24' })).toBeVisible();

  await page.keyboard.press('e');
  await page.getByLabel('Description').fill('First snow');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Bundle saved')).toBeVisible();

  await page.getByRole('link', { name: 'Clone bundle' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('winter-24 (copy)');
  await expect(page.getByLabel('Description (optional)')).toHaveValue('First snow (copy)');
  await page.getByRole('combobox', { name: 'gateway-os' }).selectOption('4.2.0');
  await page.getByRole('dialog').getByRole('button', { name: 'Create bundle' }).click();
  await expect(page.getByRole('link', { name: '4.2.0' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Compare with' }).selectOption({ label: 'winter-24' });
  await expect(page.getByText('1 of 2 components differs')).toBeVisible();
  await expect(page.getByRole('row', { name: 'gateway-os 4.2.0 4.1.3 Differs' })).toBeVisible();
  await expect(page.getByRole('row', { name: 'boot 1.0 1.0 Same' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete bundle' }).click();
  await expect(page.getByText('Do you really want to delete bundle winter-24 (copy)?')).toBeVisible();
  await page.getByRole('button', { name: 'Delete bundle' }).click();
  await expect(page.getByRole('row', { name: /winter-24/ })).toHaveCount(1);
  await page.goto(place(project, 'bundles/bnd_gone'));
  await expect(page.getByText('Bundle bnd_gone does not exist.')).toBeVisible();
});

test('a clone names the versions that it could not take over', async ({ page, developer, project }) => {
  const os = await aReadyVersion(developer, await aComponent(developer, project));
  const boot = await aReadyVersion(developer, await aComponent(developer, project, 'boot'), '1.0');
  const bundle = await aBundle(developer, project, [os, boot]);
  await withoutVersion(page, boot.componentId);
  await page.goto(place(project, `bundles?clone=${bundle.id}#new`));
  await expect(page.getByText('Some components could not be pre-filled: boot 1.0')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'gateway-os' })).toHaveValue(os.id);
  await expectAccessible(page);
});

/** Makes all versions of a component look failed, so that a bundle cannot use them. */
async function withoutVersion(page: Page, componentId: string): Promise<void> {
  await page.route('**/api/components?**', async route => {
    const response = await route.fetch();
    const components = (await response.json()) as { id: string; versions: { state: string }[] }[];
    for (const { id, versions } of components)
      for (const version of versions) if (id === componentId) version.state = 'failed';
    await route.fulfill({ response, json: components });
  });
}

test('a bundle in use cannot be deleted, and the message says who uses it', async ({
  page,
  developer,
  project,
}) => {
  const version = await aReadyVersion(developer, await aComponent(developer, project));
  const bundle = await aBundle(developer, project, [version]);
  const body = { projectId: project.id, deviceClass: 'thermostat', bundleId: bundle.id, name: 'beta' };
  await developer.client.call(createChannel, { body });
  await aDevice(developer, project, { bundleInstalled: bundle.id });
  await page.goto(place(project, `bundles/${bundle.id}`));
  await expect(page.getByRole('link', { name: '1 device runs it' })).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete bundle' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('cannot be deleted because it is currently in use.')).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'beta' })).toBeVisible();
  await expect(dialog.getByText('1 device runs it.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Delete bundle' })).toHaveCount(0);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('link', { name: '1 device runs it' }).click();
  await expect(page.getByText('hall-01')).toBeVisible();
});

test('the list narrows by class, compares two, and fits the narrowest phone', async ({
  page,
  developer,
  project,
}) => {
  const version = await aReadyVersion(developer, await aComponent(developer, project));
  await aBundle(developer, project, [version]);
  await aBundle(developer, project, [version], { name: 'w'.repeat(100) });
  await page.goto(place(project, 'bundles'));
  await page.getByRole('checkbox', { name: 'Select winter-24' }).check();
  await expect(page.getByText('Select two bundles to compare them.')).toBeVisible();
  await page.getByRole('checkbox', { name: `Select ${'w'.repeat(100)}` }).check();
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Compare bundles' }).click();
  await expect(page.getByText('The same versions')).toBeVisible();
  await expectNoSidewaysScroll(page);
  await page.goto(place(project, 'firmware'));
  await expect(page.getByText('winter-24')).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test('nothing in a bundle can be deleted, and the bundle is named before anyone asks', async ({
  page,
  developer,
  project,
}) => {
  const component = await aComponent(developer, project);
  const version = await aReadyVersion(developer, component);
  const bundle = await aBundle(developer, project, [version]);
  for (const [where, noun] of [
    [place(project, `components/${component.id}`), 'component'],
    [versionPlace(project, version), 'version'],
  ] as const) {
    await page.goto(where);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: `Delete ${noun}` }).click();
    const dialog = page.getByRole('dialog');
    await expect(
      dialog.getByText('cannot be deleted because it is currently in use.', { exact: false }),
    ).toBeVisible();
    await expect(dialog.getByRole('link', { name: bundle.name })).toBeVisible();
    await expect(dialog.getByRole('button', { name: `Delete ${noun}` })).toHaveCount(0);
    await expectAccessible(page);
  }
});
