import type { Locator } from '@playwright/test';
import { deleteDevice, editDevice } from '#contract/device.ts';
import { aBundle, install, nextTarget } from '../firmware/firmwarePage.ts';
import { expect, expectAccessible } from '../world.ts';
import { aClass, aDevice, classAddress, connected, deviceAddress, test } from './devicePage.ts';

test('the list is sorted by name, tag and age, and a third press resets it', async ({
  page,
  developer,
  project,
}) => {
  for (const [tag, name] of [
    ['b-2', 'Attic'],
    ['a-1', 'Cellar'],
    ['c-3', 'Bath'],
  ] as const)
    await aDevice(developer, project, { tag, name });
  await page.goto(classAddress(project, '/thermostat/instances'));
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitem', { name: 'Created' }).click();
  const rows = page.getByRole('table').getByRole('row');
  const first = rows.nth(1);
  const sorted = (head: string) => page.getByRole('columnheader', { name: head });
  await expect(first).toContainText('Bath');
  await expect(sorted('Created')).toHaveAttribute('aria-sort', 'descending');
  const tag = page.getByRole('button', { name: 'Tag', exact: true });
  await tag.click();
  await expect(page).toHaveURL(/sort=tag:asc/);
  await expect(first).toContainText('Cellar');
  await expect(sorted('Device')).toHaveAttribute('aria-sort', 'ascending');
  await expectAccessible(page);
  await tag.click();
  await expect(page).toHaveURL(/sort=tag:desc/);
  await expect(first).toContainText('Bath');
  await tag.click();
  await expect(page).not.toHaveURL(/sort=/);
  await expect(sorted('Created')).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('button', { name: 'Created' }).click();
  await expect(page).toHaveURL(/sort=creationTime:asc/);
  await expect(first).toContainText('Attic');
  await page.getByRole('button', { name: 'Created' }).click();
  await expect(page).not.toHaveURL(/sort=/);
  await expect(first).toContainText('Bath');
});

test('invalid parameters in the address are ignored', async ({ page, developer, project, expectRefused }) => {
  expectRefused(/^4(00|16) GET \/api\/devices$/);
  for (let i = 0; i < 12; i++) await aDevice(developer, project, { tag: `lot-${10 + i}` });
  for (const nonsense of [
    'channel=..',
    `channel=${'x'.repeat(64)}`,
    `bundle=${'x'.repeat(65)}`,
    'bundle=%00',
    'state=maybe&signal=perhaps',
    'sort=colour:asc',
    'page=nowhere',
    `q=%00lot-${'%20'.repeat(300)}`,
  ]) {
    await page.goto(classAddress(project, `/thermostat/instances?${nonsense}`));
    await expect(page.getByRole('row', { name: /lot-11/ }), nonsense).toBeVisible();
  }
  for (const after of ['!', 'nonsense']) {
    await page.goto(classAddress(project, `/thermostat/instances?size=10&page=2&after=${after}`));
    await expect(page.getByText('11–12 of 12')).toBeVisible();
    await expect(page.getByRole('row', { name: /lot-10/ })).toBeVisible();
  }
  await page.goto(classAddress(project, '/thermostat/instances?page=1e30'));
  await expect(page.getByText('This page is empty')).toBeVisible();
});

test('a device that was just added is highlighted in the list', async ({ page, developer, project }) => {
  await aDevice(developer, project, { tag: 'attic-7' });
  await page.goto(classAddress(project, '/thermostat/instances#new'));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Tag').fill('hall-01');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('row', { name: /hall-01/ })).toHaveAttribute('data-marked', 'true');
  await expect(page.getByRole('row', { name: /attic-7/ })).not.toHaveAttribute('data-marked');
});

test('the first device takes the focus of the empty list, whether it is added here or elsewhere', async ({
  page,
  developer,
  project,
}) => {
  await page.goto(classAddress(project, '/thermostat/instances'));
  const empty = page.getByRole('main').getByRole('button', { name: 'Add device' }).last();
  const isEmpty = () => expect(page.getByRole('heading', { name: 'No thermostat yet' })).toBeVisible();
  await isEmpty();
  await empty.focus();
  const { id: deviceId } = await aDevice(developer, project, { tag: 'attic-7' });
  await expect(page.getByRole('link', { name: /attic-7/ })).toBeFocused();
  await developer.client.call(deleteDevice, { params: { deviceId } });
  await isEmpty();
  // A device added here is shown with its key; then the arrow keys lead to it.
  await empty.press('Enter');
  await page.getByRole('dialog').getByLabel('Tag').fill('hall-01');
  await page.keyboard.press('Enter');
  // Behind the dialog, where it is visible but not reachable.
  await expect(page.locator('tr', { hasText: 'hall-01' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('link', { name: /hall-01/ })).toBeFocused();
});

test('the arrow keys lead into the list and through it', async ({ page, developer, project }) => {
  await aDevice(developer, project, { tag: 'hall-01' });
  await aDevice(developer, project, { tag: 'attic-7' });
  await page.goto(classAddress(project, '/thermostat/instances'));
  const link = (name: RegExp) => page.getByRole('table').getByRole('link', { name });
  await expect(link(/attic-7/)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(link(/attic-7/)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(link(/hall-01/)).toBeFocused();
  // From the search field too, because it has a single line.
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(link(/attic-7/)).toBeFocused();
});

test('the selection can be acted on from the end of a long page', async ({ page, developer, project }) => {
  await Promise.all(Array.from({ length: 40 }, (_, i) => aDevice(developer, project, { tag: `lot-${i}` })));
  await page.goto(classAddress(project, '/thermostat/instances?size=100'));
  await page.getByLabel('Select all on this page').check();
  await page.getByText('1–40 of 40').scrollIntoViewIfNeeded();
  await expect(page.getByRole('button', { name: 'Suspend', exact: true })).toBeInViewport();
  await expect(page.getByRole('columnheader', { name: 'Device' })).toBeInViewport();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await expect(page.getByText('40 devices will be disconnected')).toBeVisible();
  await page.keyboard.press('Escape');
  // With the keyboard: from the palette, or after the last row, where the bar is on screen.
  await page.getByLabel('Select lot-20', { exact: true }).focus();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused();
  await page.keyboard.type('suspend selected');
  await page.keyboard.press('Enter');
  await expect(page.getByText('40 devices will be disconnected')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Select lot-20', { exact: true })).toBeFocused();
  await page.getByLabel('Rows per page').focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Suspend', exact: true })).toBeFocused();
});

test('a long name leaves the breadcrumb readable', async ({ page, developer, project }) => {
  const device = await aDevice(developer, project, { name: 'A very long name '.repeat(11).trim() });
  await page.goto(deviceAddress(device));
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await expect(crumbs).toContainText('A very long name');
  for (const name of ['Nordlys Home', 'Devices', 'thermostat']) {
    const isCut = (link: Element) => link.scrollWidth > link.clientWidth;
    expect(await crumbs.getByRole('listitem').getByRole('link', { name }).evaluate(isCut), name).toBe(false);
  }
});

test('a text that is written from right to left is cut at its end', async ({ page, developer, aProject }) => {
  const name = 'الباب مفتوح منذ أكثر من عشر دقائق '.repeat(3).slice(0, 100).trim();
  const text = `${name} `.repeat(4).trim();
  const project = await aProject(name);
  await aClass(developer, project);
  const device = await aDevice(developer, project, { name: 'Hall' });
  await using hardware = await connected(developer, device);
  await hardware.say('events/door', { open: true, _alert: { severity: 'critical', text } });
  const main = page.getByRole('main');
  await page.goto('/projects');
  await expect.poll(() => showsBeginning(main.getByText(name))).toBe(true);
  await page.goto(`/projects/${project.id}`);
  await expect.poll(() => showsBeginning(main.getByText(`${text} on Hall`))).toBe(true);
  await page.goto(deviceAddress(device));
  const activity = page.getByRole('region', { name: 'Activity' });
  await expect.poll(() => showsBeginning(activity.getByText(text))).toBe(true);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/projects/${project.id}/devices`);
  await expect.poll(() => showsBeginning(page.getByRole('link', { name }).first())).toBe(true);
});

/** Whether the first letter of a text is inside the box that cuts the text. */
const showsBeginning = (text: Locator) =>
  text.first().evaluate(it => {
    const node = document.createTreeWalker(it, NodeFilter.SHOW_TEXT).nextNode();
    if (!node) return undefined;
    const letter = document.createRange();
    letter.setStart(node, 0);
    letter.setEnd(node, 1);
    let box: Element | null = it;
    while (box && getComputedStyle(box).overflowX === 'visible') box = box.parentElement;
    const { left, right } = letter.getBoundingClientRect();
    const within = (box ?? it).getBoundingClientRect();
    return left >= within.left - 1 && right <= within.right + 1;
  });

test('a row is as high as the others however long its name is, and shows all of it on request', async ({
  page,
  developer,
  project,
}) => {
  const name = 'A very long name '.repeat(11).trim();
  await aDevice(developer, project, { name, tag: 'long' });
  await aDevice(developer, project, { name: 'Hall', tag: 'short' });
  await page.goto(classAddress(project, '/thermostat/instances'));
  const long = page.getByRole('row').filter({ hasText: 'long' });
  const heightOf = async (text: string) =>
    (await page.getByRole('row').filter({ hasText: text }).boundingBox())?.height;
  await expect(long).toBeVisible();
  expect(await heightOf('long')).toBe(await heightOf('short'));
  await long.hover();
  await expect(long).toHaveAttribute('title', name);
  await page.keyboard.press('Tab');
  await long.getByRole('link').focus();
  expect(await heightOf('long')).toBeGreaterThan((await heightOf('short')) ?? 0);
});

test('a device is simulated from its row', async ({ page, context, developer, project }) => {
  await aDevice(developer, project, { tag: 'hall-01' });
  await page.goto(classAddress(project, '/thermostat/instances'));
  await page.getByRole('button', { name: 'Actions for hall-01' }).click();
  const opened = context.waitForEvent('page');
  await page.getByRole('menuitem', { name: 'Simulate' }).click();
  await expect(await opened).toHaveURL(/\/devicesim\//);
  await expect(page.getByRole('row', { name: /hall-01/ }).getByText('Connected')).toBeVisible();
});

test('versions that devices report are shown in a project without bundles', async ({
  page,
  developer,
  project,
  device,
}) => {
  await using hardware = await connected(developer, device);
  await page.goto(`/projects/${project.id}/devices`);
  const firmware = page.getByRole('columnheader', { name: 'Firmware' });
  await expect(page.getByRole('img', { name: /connected/i })).toBeVisible();
  await expect(firmware).toHaveCount(0);
  await hardware.say('installed', { components: [{ component: 'main', version: '3.2.0' }] });
  await page.reload();
  await expect(firmware).toBeVisible();
  await expect(page.getByRole('row', { name: /hall-01/ })).toContainText('3.2.0');
});

test('the list follows an update: both versions, its progress, and what runs in the end', async ({
  page,
  developer,
  project,
  platform,
  device,
}) => {
  const bundle = await aBundle(developer, project, platform.url, 'winter-25', '3.3.0');
  await using hardware = await connected(developer, device);
  await hardware.say('installed', { components: [{ component: 'main', version: '3.2.0' }] });
  const params = { deviceId: device.id };
  await developer.client.call(editDevice, { params, body: { bundlePinned: bundle.id } });
  await hardware.listen('target');
  const target = await nextTarget(hardware);
  const { sequence } = target;
  await page.goto(`/projects/${project.id}/devices`);
  const row = page.getByRole('row', { name: /hall-01/ });
  await expect(row).toContainText('3.2.0 → 3.3.0');
  for (const [percent, said] of [
    [20, '20 %'],
    [61.7, '62 %'],
  ] as const) {
    await hardware.say('progress', { state: 'downloading', sequence, component: 'main', percent });
    await expect(row).toContainText(said);
  }
  await expect(row.getByRole('progressbar')).toHaveAccessibleName('winter-25: Downloading main, 62 %');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(row).toContainText('Connected62 %');

  await hardware.say('progress', { state: 'rebooting', sequence });
  await expect(row).toContainText('ConnectedRebooting');
  await page.setViewportSize({ width: 1440, height: 900 });
  await install(hardware, target);
  await expect(row).toContainText('3.3.0winter-25 · pinned');
  await expect(row.getByRole('progressbar')).toHaveCount(0);
});
