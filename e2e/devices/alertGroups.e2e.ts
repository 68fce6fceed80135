import type { Page } from '@playwright/test';
import type { Project } from '#contract/project.ts';
import { createSmartModule } from '#contract/smartModule.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { expect, expectAccessible, expectNoSidewaysScroll } from '../world.ts';
import { aDevice, connected, test } from './devicePage.ts';

/** A rule that finds eight devices too warm, and one device that raises a critical alert. */
async function someTrouble(page: Page, developer: Newcomer, project: Project): Promise<void> {
  await developer.client.call(createSmartModule, {
    params: { projectId: project.id },
    body: {
      id: 'frost-guard',
      moduleType: 'rule',
      subscribedEvents: ['_state_'],
      configData: { condition: 'state.celsius > 21', actions: [{ kind: 'alert', text: 'Warm' }] },
    },
  });
  await page.goto(`/projects/${project.id}/alerts`);
  for (let at = 1; at <= 8; at++) {
    const device = await aDevice(developer, project, { tag: `room-${at}`, name: `Room ${at}` });
    await using hardware = await connected(developer, device);
    await hardware.say('state', { celsius: 22 });
    if (at === 8)
      await hardware.say('events/overheat', {
        _alert: { severity: 'critical', text: 'Valve motor at 71 °C' },
      });
    await expect(page.getByText(`${at === 8 ? 9 : at} open`)).toBeVisible();
  }
}

test('alerts are grouped by cause, critical first, and a group is handled by keyboard alone', async ({
  page,
  developer,
  project,
}) => {
  await someTrouble(page, developer, project);
  await expect(page.getByText('9 open, 2 causes')).toBeVisible();
  const rows = page.getByRole('row');
  await expect(rows.nth(1)).toContainText('Valve motor at 71 °C');
  await expect(rows.nth(1)).toContainText('Room 8');
  await expect(rows.nth(2)).toContainText('8 devices');
  await expectAccessible(page);

  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await expect(page.getByRole('link', { name: /^Room/ })).toHaveCount(6);
  await page.getByRole('button', { name: 'Show 3 more devices' }).click();
  await expect(page.getByRole('link', { name: /^Room/ })).toHaveCount(9);
  await rows.nth(2).getByRole('button', { name: /^Warm/ }).focus();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  const selected = page.getByRole('region', { name: 'Selected alerts' });
  await expect(selected).toContainText('2 selected');
  await expectAccessible(page);
  await page.keyboard.press('a');
  await expect(page.getByText('7 open, 2 causes')).toBeVisible();
  await expect(selected).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('9 open, 2 causes')).toBeVisible();
  await rows.nth(1).getByRole('checkbox').focus();
  await page.keyboard.press('Space');
  await expect(selected).toContainText('1 selected');
  await page.keyboard.press('a');
  await expect(page.getByText('8 open, 1 cause')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('9 open, 2 causes')).toBeVisible();

  await rows
    .nth(1)
    .getByRole('link', { name: /Valve motor/ })
    .focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Alert' });
  await expect(drawer).toContainText('Valve motor at 71 °C');
  await expect(drawer.getByRole('region', { name: 'Presence around the alert' })).toBeVisible();
  await expectAccessible(page);
  await drawer.getByRole('button', { name: 'Next alert' }).click();
  await expect(drawer).toContainText('Warm');
  const history = drawer.getByRole('region', { name: 'History of celsius' });
  await expect(history).toContainText('above 21');
  await expect(drawer).toContainText('Once in 30 days on this device, 7 on others');
  await expect(drawer).toContainText('Nothing was changed in the hour before');
  await expectAccessible(page);
});

test('a whole group is acknowledged and resolved with one press, and a note is kept with each alert', async ({
  page,
  developer,
  project,
}) => {
  await someTrouble(page, developer, project);
  await page.getByRole('button', { name: 'Acknowledge all 8' }).click();
  await expect(page.getByText('1 open, 1 cause')).toBeVisible();
  await page.getByRole('button', { name: /^Acknowledged/ }).click();
  await expect(page.getByText('8 acknowledged, 1 cause')).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Warm' }).click();
  await page.getByRole('menuitem', { name: 'Resolve all 8 with a note…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resolve 8 alerts' });
  await dialog.getByLabel('Note').fill('The heating was stuck');
  await dialog.getByRole('button', { name: 'Resolve 8 alerts' }).click();
  await expect(page.getByRole('heading', { name: 'No acknowledged alerts' })).toBeVisible();
  await page.getByRole('button', { name: /^Resolved/ }).click();
  await page.getByRole('button', { name: /^Warm/ }).click();
  await page.getByRole('link', { name: /^Room 8/ }).click();
  await expect(page.getByRole('dialog', { name: 'Alert' })).toContainText('The heating was stuck');
});

test('alerts are grouped by device, and on a phone the next step of a group is in reach', async ({
  page,
  developer,
  project,
}) => {
  await someTrouble(page, developer, project);
  await page.getByRole('button', { name: 'By device' }).click();
  await expect(page.getByText('9 open, 8 devices')).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toContainText('Room 8');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.getByRole('row').nth(1).getByRole('button', { name: 'Acknowledge all 2' }).click();
  await expect(page.getByText('7 open, 7 devices')).toBeVisible();
  await page.getByRole('row').nth(1).getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await expect(page.getByText('6 open, 6 devices')).toBeVisible();
});
