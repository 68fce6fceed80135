import type { Page } from '@playwright/test';
import { aClass, aDevice, connected, rewrite, test } from '../devices/devicePage.ts';
import { expect } from '../world.ts';

const field = (page: Page, name: RegExp | string) => page.getByRole('combobox', { name });
const view = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const newRule = (projectId: string) => `/projects/${projectId}/smart_modules?new=rule`;

/** The condition is written as code, and shown as a sentence. */
async function say(page: Page, condition: string): Promise<void> {
  await view(page, 'Code');
  await rewrite(page.getByRole('textbox', { name: 'Condition' }), condition);
  await view(page, 'Sentence');
}

test('a number stays a number while it is typed anew, and a sentence is never lost by a choice of its own', async ({
  page,
  project,
}) => {
  await page.goto(newRule(project.id));
  await say(page, 'state.unheardOf == 5.0');
  const value = page.getByRole('textbox', { name: 'Compared with 1' });
  await value.fill('');
  await value.pressSequentially('-7.5');
  await expect(page.getByText('state.unheardOf == -7.5', { exact: true })).toBeVisible();

  await field(page, /^Comparison 1/).focus();
  await page.keyboard.type('contains');
  await page.keyboard.press('Enter');
  await expect(value).toBeFocused();
  await expect(value).toHaveValue('');
  await page.keyboard.type('7');
  await expect(page.getByText('state.unheardOf.contains("7")', { exact: true })).toBeVisible();

  await say(page, 'state.unheardOf >= ');
  await value.pressSequentially('-3');
  await expect(page.getByText('state.unheardOf >= -3', { exact: true })).toBeVisible();
  await say(page, 'state.unheardOf == "5"');
  await value.fill('');
  await value.pressSequentially('6');
  await expect(page.getByText('state.unheardOf == "6"', { exact: true })).toBeVisible();
});

test('a draft that is taken back to nothing does not return', async ({ page, project }) => {
  await page.goto(newRule(project.id));
  await view(page, 'Code');
  const condition = page.getByRole('textbox', { name: 'Condition' });
  await rewrite(condition, 'true');
  await expect(page.getByText('Draft, kept in this browser')).toBeVisible();
  await condition.press('ControlOrMeta+a');
  await condition.press('Backspace');
  await expect(page.getByText('Draft, kept in this browser')).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('Choose what to compare', { exact: true })).toBeVisible();
  await expect(page.getByText('Draft, kept in this browser')).toHaveCount(0);
});

test('a replay that fails says nothing of the rule before the last change, and one that was left has ended', async ({
  page,
  developer,
  project,
  expectRefused,
}) => {
  const stateSchema = { type: 'object', properties: { temperature: { type: 'number' } } };
  await aClass(developer, project, { id: 'valve', stateSchema });
  const device = await aDevice(developer, project, { name: 'Cellar', deviceClass: 'valve' });
  await using hardware = await connected(developer, device);
  await hardware.say('state', { temperature: 5.1 });
  await page.goto(newRule(project.id));
  await say(page, 'state.temperature < 6.0');
  await expect(page.getByText('Holds for 1 of 1 device right now')).toBeVisible();

  expectRefused('429 POST /api/projects/*/smartModules/replay');
  const replays = /\/smartModules\/replay$/;
  await page.route(replays, route =>
    route.fulfill({ status: 429, json: { reason: 'TOO_MANY_REPLAYS', message: 'Two replays are running.' } }),
  );
  const value = page.getByRole('textbox', { name: 'Compared with 1' });
  await value.fill('2.0');
  const replay = page.getByRole('region', { name: 'Replay', exact: true });
  await expect(replay).toContainText('Below is the replay of');
  await expect(page.getByText('Reads well.')).toBeVisible();
  await expect(page.getByText(/^Holds for/)).toHaveCount(0);

  const isAsked = Promise.withResolvers<void>();
  await page.unroute(replays);
  await page.route(replays, () => isAsked.resolve());
  await value.fill('3.0');
  await isAsked.promise;
  await value.fill('');
  await expect(page.getByText('Enter what temperature is compared with.', { exact: true })).toBeVisible();
  await expect(replay.getByRole('button', { name: 'Run again' })).toBeDisabled();
  await expect(replay.getByRole('button', { name: 'Run again' })).not.toHaveAttribute('aria-busy', 'true');
});
