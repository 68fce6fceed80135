import type { Page } from '@playwright/test';
import { readSmartModule } from '#contract/smartModule.ts';
import { aClass, aDevice, connected, rewrite, test } from '../devices/devicePage.ts';
import { expect, expectAccessible, expectNoSidewaysScroll } from '../world.ts';

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const field = (page: Page, name: RegExp | string) => page.getByRole('combobox', { name });
const newRule = (projectId: string) => `/projects/${projectId}/smart_modules?new=rule`;

const stateSchema = {
  type: 'object',
  properties: {
    temperature: { type: 'number', unit: '°C', minimum: -40, maximum: 125 },
    mode: { enum: ['off', 'heat'] },
  },
};

test('a rule is written as a sentence by keyboard alone, replayed while it is written, and named last', async ({
  page,
  developer,
  project,
}) => {
  test.slow();
  const params = { projectId: project.id };
  await aClass(developer, project, { id: 'valve', stateSchema });
  const device = await aDevice(developer, project, { name: 'Cellar', deviceClass: 'valve' });
  await using hardware = await connected(developer, device);
  for (const temperature of [8, 5.4, 7, 5.1]) await hardware.say('state', { temperature });

  await page.goto(newRule(project.id));
  await expect(page.getByText('Choose what to compare', { exact: true })).toBeVisible();
  await field(page, /^Devices/).focus();
  await page.keyboard.type('valve');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');

  // After a choice, the focus is in the next part that is missing.
  await expect(field(page, /^Value 1/)).toBeFocused();
  await page.keyboard.type('temp');
  await page.keyboard.press('Enter');
  const value = page.getByRole('textbox', { name: 'Compared with 1' });
  await expect(value).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(field(page, /^Comparison 1/)).toBeFocused();
  await page.keyboard.type('below');
  await page.keyboard.press('Enter');
  await expect(value).toBeFocused();
  await page.keyboard.type('6.0');

  // The condition alone is judged and replayed, before anything is done.
  await expect(page.getByText('Reads well.')).toBeVisible();
  await expect(page.getByText('Holds for 1 of 1 device right now: Cellar at 5.1 °C.')).toBeVisible();
  await expect(panel(page, 'Replay')).toContainText('Would act once');
  await expect(panel(page, 'Replay').getByRole('table')).toContainText('temperature 5.4 °C');
  await expect(panel(page, 'Replay')).toContainText('held back, too soon after another1');
  await expect(page.getByText('state.temperature < 6.0', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Create rule' }).press('Enter');
  await expect(page.getByText('Choose what it does', { exact: true })).toBeVisible();
  await expect(field(page, /^Action/)).toBeFocused();
  await expectAccessible(page);

  await page.keyboard.type('warning');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Raise an alert' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Text' }).fill('Frost risk: {{ state.temperature }} °C');
  await page.keyboard.press('Escape');
  await expect(field(page, 'Action 1: raise a warning')).toBeFocused();
  await expect(panel(page, 'What it will do')).toContainText('Would raise “Frost risk: 5.1 °C”');
  await expect(page.getByText('You name it in the next step')).toBeVisible();
  await expectAccessible(page);
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
  }

  await page.getByRole('button', { name: 'Create rule' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Name the rule' });
  await dialog.getByLabel('Name').fill('Warn of frost');
  await expect(dialog).toContainText('Its id becomes warn-of-frost');
  await expect(dialog).toContainText(
    'When a valve reports state and temperature is below 6.0 °C, then raise a warning.',
  );
  await expect(dialog).toContainText('It would have acted once in the last 24 h.');
  await expectAccessible(page);
  await dialog.getByRole('switch', { name: 'Turn on at once' }).press('Space');
  await dialog.getByRole('button', { name: 'Create as draft' }).press('Enter');
  await expect(page).toHaveURL(/\/smart_modules\/warn-of-frost$/);
  const module = { params: { ...params, moduleId: 'warn-of-frost' } };
  expect(await developer.client.call(readSmartModule, module)).toMatchObject({
    description: 'Warn of frost',
    suspended: true,
    deviceClasses: ['valve'],
    subscribedEvents: ['_state_'],
    configData: { condition: 'state.temperature < 6.0' },
  });
});

test('code and sentence are one rule; what no sentence can say, and what is not reported, is named', async ({
  page,
  developer,
  project,
}) => {
  test.slow();
  await aClass(developer, project, { id: 'radiator', stateSchema });
  await page.goto(newRule(project.id));
  await field(page, /^Devices/).click();
  await page.getByRole('option', { name: /radiator/ }).click();
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  const condition = page.getByRole('textbox', { name: 'Condition' });
  await rewrite(condition, 'state.temperature > 30 && state.mode == "heat"');
  await page.getByRole('button', { name: 'Sentence', exact: true }).click();
  await expect(field(page, 'Value 2: mode')).toBeVisible();
  await field(page, /^Compared with 2/).focus();
  await page.keyboard.type('off');
  await page.keyboard.press('Enter');
  await expect(
    page.getByText('state.temperature > 30 && state.mode == "off"', { exact: true }),
  ).toBeVisible();

  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await rewrite(condition, 'mean(state.temperature, 10) > 30');
  await expect(page.getByText('Only code: A sentence cannot say')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sentence', exact: true })).toHaveCount(0);
  await expectAccessible(page);
  await rewrite(condition, 'state.temp > 30');
  await expect(
    page.getByText('radiators do not report `temp`. Did you mean `temperature`?').first(),
  ).toBeVisible();

  // The draft stays in this browser until it is created or started over.
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/smart_modules$/);
  await page.goto(newRule(project.id));
  await expect(page.getByText('Draft, kept in this browser')).toBeVisible();
  await expect(field(page, 'Value 1: temp')).toBeVisible();
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(field(page, 'Value 1: not chosen')).toBeVisible();
  await expect(page.getByText('Draft, kept in this browser')).toHaveCount(0);
});
