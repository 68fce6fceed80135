import { aDevice, test as ofDevices } from './devices/devicePage.ts';
import { expect, test } from './world.ts';

test('an answer that arrives after its dialog or screen was left does not navigate', async ({
  page,
  project,
}) => {
  let asked = Promise.withResolvers<void>();
  let mayGo = Promise.withResolvers<void>();
  await page.route(/\/deviceClasses(\/\w+)?(\?|$)/, async route => {
    if (!['POST', 'DELETE'].includes(route.request().method())) return route.fallback();
    const answer = await route.fetch();
    asked.resolve();
    await mayGo.promise;
    await route.fulfill({ response: answer });
  });
  await page.goto(`/projects/${project.id}/settings`);
  await page.getByRole('link', { name: 'Devices', exact: true }).click();
  await page.getByRole('link', { name: 'Classes', exact: true }).click();
  const id = page.getByRole('dialog').getByLabel('Id');
  await page.getByRole('button', { name: 'Create device class' }).first().click();
  await id.fill('boiler');
  await page.keyboard.press('Enter');
  await asked.promise;
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('button', { name: 'Create device class' }).first().click();
  await id.fill('pump');
  const answered = page.waitForResponse(answer => answer.request().method() === 'POST');
  mayGo.resolve();
  await (await answered).finished();
  await expect(page.getByText('boiler')).toBeVisible();
  await expect(id).toHaveValue('pump');

  asked = Promise.withResolvers();
  mayGo = Promise.withResolvers();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('link', { name: 'boiler', exact: true }).click();
  await page.getByRole('link', { name: 'Class', exact: true }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete device class' }).click();
  await page.getByRole('button', { name: 'Delete device class' }).click();
  await asked.promise;
  await page.evaluate(() => history.go(-4));
  await expect(page).toHaveURL(/settings$/);
  mayGo.resolve();
  await expect(page.getByText('Device class deleted')).toBeVisible();
  await expect(page).toHaveURL(/settings$/);
});

ofDevices(
  'an action on many devices that begins after its list was left does not change the next address',
  async ({ page, project, developer }) => {
    await aDevice(developer, project);
    const asked = Promise.withResolvers<void>();
    const mayGo = Promise.withResolvers<void>();
    await page.route(/\/deviceActions$/, async route => {
      asked.resolve();
      await mayGo.promise;
      await route.fulfill({ json: { id: 'act_1', action: 'suspend', state: 'running', total: 1, done: 0 } });
    });
    await page.goto(`/projects/${project.id}/alerts`);
    await page.getByRole('link', { name: 'Devices', exact: true }).click();
    await page.getByRole('checkbox', { name: /Select hall-01/ }).check();
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Suspend/ })
      .click();
    await asked.promise;
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible();
    const answered = page.waitForResponse(/\/deviceActions$/);
    mayGo.resolve();
    await (await answered).finished();
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))));
    expect(page.url()).toMatch(/\/alerts$/);
  },
);
