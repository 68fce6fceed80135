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
  await page.getByRole('button', { name: 'Add device class' }).first().click();
  await id.fill('boiler');
  await page.keyboard.press('Enter');
  await asked.promise;
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('button', { name: 'Add device class' }).first().click();
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
