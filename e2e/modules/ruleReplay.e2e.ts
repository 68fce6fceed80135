import type { Page } from '@playwright/test';
import { createSmartModule } from '#contract/smartModule.ts';
import { aDevice, connected, rewrite, test } from '../devices/devicePage.ts';
import { expect, expectAccessible } from '../world.ts';

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a rule is replayed against the saved version, and explains why it did nothing for an event', async ({
  page,
  developer,
  project,
}) => {
  test.slow();
  const params = { projectId: project.id };
  const actions = [{ kind: 'alert' as const, text: 'It is {{ state.celsius }} °C' }];
  await developer.client.call(createSmartModule, {
    params,
    body: {
      id: 'too-warm',
      moduleType: 'rule',
      subscribedEvents: ['_state_'],
      configData: { condition: 'state.celsius > 30', acts: 'each', actions },
    },
  });
  await using hardware = await connected(developer, await aDevice(developer, project, { name: 'Attic' }));
  for (const celsius of [31, 20, 36]) await hardware.say('state', { celsius });
  await page.goto(`/projects/${project.id}/smart_modules/too-warm`);
  const replay = panel(page, 'Replay');
  await expect(replay).toContainText('no action was carried out');
  await expect(replay.getByRole('button', { name: /As before/ })).toContainText('2');

  // Before it is saved: which hits are gone, which are new, and the state of each.
  const condition = panel(page, 'Condition').getByRole('textbox', { name: 'Condition' });
  await rewrite(condition, 'state.celsius < 35');
  await expect(replay.getByRole('button', { name: /No longer/ })).toContainText('1');
  await expect(replay.getByRole('button', { name: /New/ })).toContainText('1');
  await replay.getByRole('button', { name: /No longer/ }).click();
  await expect(replay.getByRole('table')).toContainText('36');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Discard' }).click();

  await page.getByRole('link', { name: 'Why not?' }).click();
  const events = panel(page, 'Events').getByRole('list').getByRole('button');
  await expect(events).toHaveCount(3);
  await events.nth(1).click();
  const why = panel(page, 'Why not?');
  await expect(why).toContainText('Condition false.');
  await expect(why.getByRole('listitem').filter({ hasText: 'state.celsius > 30' })).toContainText(
    'not passed',
  );
  await expectAccessible(page);
  await events.first().click();
  await expect(why).toContainText('All checks passed.');
});

test('a parked module says why, and recovers, since it was parked or since a chosen time', async ({
  page,
  developer,
  project,
}) => {
  const params = { projectId: project.id };
  await developer.client.call(createSmartModule, {
    params,
    body: { id: 'crm', moduleType: 'webhook', configData: { url: 'http://127.0.0.1:8080/' } },
  });
  const parkedAt = new Date(Date.now() - 3_600_000).toISOString();
  await page.route(/\/smartModules\/crm$/, async route => {
    const response = await route.fetch();
    const module = { state: 'parked', parkedAt, parkedBecause: 'Every run failed for 24 hours' };
    await route.fulfill({ response, json: { ...(await response.json()), ...module } });
  });
  await page.goto(`/projects/${project.id}/smart_modules/crm`);
  const band = panel(page, 'Parked');
  await expect(band).toContainText('This module was parked 1 h ago. Every run failed for 24 hours.');
  await expectAccessible(page);
  const recovers = page.waitForRequest(/\/recover$/);
  await band.getByRole('button', { name: 'Recover' }).click();
  expect((await recovers).postDataJSON()).toEqual({ since: parkedAt });
  await expect(page.getByText('Failed runs are being retried')).toBeVisible();

  const from = panel(page, 'Recover');
  await from.getByLabel('Everything since').fill('2026-11-20T09:46');
  await expect(from.getByRole('button', { name: 'Nothing failed since' })).toBeDisabled();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
