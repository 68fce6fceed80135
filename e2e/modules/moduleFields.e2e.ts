import type { Page } from '@playwright/test';
import { pageSizes } from '#contract/paging.ts';
import { createSmartModule, readSmartModule } from '#contract/smartModule.ts';
import { aWebServer } from '#test/webServer.ts';
import { rewrite, test } from '../devices/devicePage.ts';
import { expect, expectAccessible } from '../world.ts';

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('every field of a module can be entered, and a rule reads the data of another module', async ({
  page,
  developer: { client },
  project,
}) => {
  test.slow();
  const list = `/projects/${project.id}/smart_modules`;
  const read = (moduleId: string) =>
    client.call(readSmartModule, { params: { projectId: project.id, moduleId } });

  await page.goto(`${list}?new=table`);
  await page.getByLabel('Module id').fill('tariffs');
  await page.getByLabel('Description (optional)').fill('What energy costs');
  await page.getByLabel('Data label').fill('prices');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create table' }).click();
  await expect(page).toHaveURL(/\/smart_modules\/tariffs$/);
  expect(await read('tariffs')).toMatchObject({
    id: 'tariffs',
    moduleType: 'table',
    description: 'What energy costs',
    bulkDataLabel: 'prices',
    suspended: false,
  });

  // A rule knows the data by its label once it uses the module.
  await page.goto(`${list}?new=rule`);
  const rule = panel(page, 'Rule');
  await rule.getByRole('button', { name: 'Code', exact: true }).click();
  await rule.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByLabel('Subscribed events').fill('power _state_\nPower  power');
  await rewrite(rule.getByRole('textbox', { name: 'Condition' }), 'data.prices.size() > 0');
  await expect(rule).toContainText('The rule uses no data with the label `prices`.');
  await page.getByRole('button', { name: 'Add action' }).click();
  await page.getByRole('menuitem', { name: 'Raise an alert' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('Energy is dear');
  await rule.getByText('More settings').last().click();
  await rule.getByText('tariffs · data.prices').click();
  await expect(rule).toContainText('Reads well.');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Saver');
  await page.getByRole('button', { name: 'Create and turn on' }).click();
  await expect(page).toHaveURL(/\/smart_modules\/saver$/);
  expect(await read('saver')).toMatchObject({
    moduleType: 'rule',
    description: 'Saver',
    dataSourceModules: ['tariffs'],
    subscribedEvents: ['_state_', 'power'],
    configData: { condition: 'data.prices.size() > 0' },
  });

  // `*` alone means all events.
  await page.goto(`${list}?new=webhook`);
  await page.getByLabel('Module id').fill('all');
  await page.getByLabel('Subscribed events').fill('*\n');
  await using receiver = await aWebServer((_request, response) => response.end());
  await page.getByLabel('Address').fill(`http://127.0.0.1:${receiver.port}/hooks`);
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await expect(page).toHaveURL(/\/smart_modules\/all$/);
  expect(await read('all')).toMatchObject({ subscribedEvents: ['*'] });
});

test('the list of modules has pages of 25, or of a chosen size', async ({
  page,
  developer: { client },
  project,
}) => {
  for (let n = 10; n < 36; n += 1)
    await client.call(createSmartModule, {
      params: { projectId: project.id },
      body: { id: `table-${n}`, moduleType: 'table', description: `Number ${n}`, configData: {} },
    });
  await page.goto(`/projects/${project.id}/smart_modules`);
  const rows = page.getByRole('main').getByRole('table').locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(25);
  await expect(rows.first()).toContainText('Table · Number 10');
  const size = page.getByLabel('Rows per page');
  await expect(size.getByRole('option')).toHaveText(pageSizes.map(one => new RegExp(`^${one}\\b`)));
  await size.selectOption('10');
  await expect(rows).toHaveCount(10);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(rows.first()).toContainText('table-20');
  await expectAccessible(page);
});
