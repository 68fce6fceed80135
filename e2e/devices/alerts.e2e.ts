import { createSmartModule } from '#contract/smartModule.ts';
import { expect, expectAccessible } from '../world.ts';
import { aDevice, connected, test } from './devicePage.ts';

test('an alert is seen, acknowledged and resolved, by hand and by its device', async ({
  page,
  developer,
  project,
}) => {
  const hall = await aDevice(developer, project, { tag: 'hall-01', name: 'Hall thermostat' });
  await using hardware = await connected(developer, hall);
  await page.goto(`/projects/${project.id}/alerts?group=none`);
  await expect(page.getByRole('heading', { name: 'No alerts' })).toBeVisible();
  await hardware.say('events/smoke', { _alert: { severity: 'critical', text: 'Smoke in the hall' } });
  const row = page.getByRole('row', { name: /Smoke in the hall/ });
  await expect(row).toContainText('Hall thermostat');
  await hardware.say('events/battery', { _alert: { severity: 'warning', text: 'The battery is at 18 %' } });
  await hardware.say('events/smoke', { _alert: { severity: 'critical', text: 'Smoke in the hall' } });
  await expect(row).toContainText('2');
  await expectAccessible(page);

  await row.getByRole('link', { name: /Smoke in the hall/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Alert' });
  await expect(drawer.getByText('Raised by the device')).toBeVisible();
  await drawer.getByLabel('Note').fill('On my way');
  await drawer.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(drawer.getByText(/^Acknowledged by/)).toBeVisible();
  await expect(drawer.getByText('On my way')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(row).toContainText('Acknowledged');

  await hardware.say('events/smoke', { _alert: { resolved: true } });
  await expect(row).toContainText('Resolved');
  await page.getByRole('button', { name: /^Open/ }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole('checkbox', { name: /Select all on this page/ }).check();
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve 1 alert' }).click();
  await expect(page.getByText('No matching alerts')).toBeVisible();
});

test('an alert of a rule counts on the overview, is acknowledged with others, and ends with its condition', async ({
  page,
  developer,
  project,
}) => {
  const { id: projectId } = project;
  const attic = await aDevice(developer, project, { tag: 'attic-01', name: 'Attic thermostat' });
  const text = '{{ device.name }} is at {{ state.celsius }} °C';
  await developer.client.call(createSmartModule, {
    params: { projectId },
    body: {
      id: 'too-warm',
      moduleType: 'rule',
      subscribedEvents: ['_state_'],
      configData: { condition: 'state.celsius > 30', actions: [{ kind: 'alert', text }] },
    },
  });
  await using hardware = await connected(developer, attic);
  await page.goto(`/projects/${projectId}`);
  await hardware.say('state', { celsius: 35 });
  await hardware.say('events/battery', { _alert: { severity: 'info', text: 'The battery is at 18 %' } });
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention).toContainText('2 non-critical alerts');
  await attention.getByRole('link', { name: /non-critical alerts/ }).click();
  await page.getByRole('button', { name: 'None', exact: true }).click();
  const [ofRule, ofDevice] = [
    page.getByRole('row', { name: /Attic thermostat is at 35 °C/ }),
    page.getByRole('row', { name: /The battery is at 18 %/ }),
  ];
  await expect(ofRule).toContainText('Module too-warm');
  await page.getByRole('checkbox', { name: /Select all on this page/ }).check();
  await page.getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Note').fill('Both are known');
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge 2 alerts' }).click();
  await expect(page.getByText('Acknowledged 2 alerts')).toBeVisible();
  await expect(page.getByText('No matching alerts')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  for (const row of [ofRule, ofDevice]) await expect(row).toContainText(`by ${developer.developer.name}`);

  await hardware.say('state', { celsius: 20 });
  await expect(ofRule).toContainText('Resolved');
  await expect(ofDevice).toContainText('Acknowledged');
  // A phone has no room for the column, but still shows its content.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(ofRule).toContainText('Resolved · Attic thermostat');
  await ofRule.getByRole('link', { name: /is at 35/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Alert' });
  await expect(drawer.getByText('Resolved by the smart module too-warm')).toBeVisible();
  await expect(drawer.getByText('Both are known')).toBeVisible();
});

test('a note typed while another is saved stays, and one refused after the drawer was closed is reported', async ({
  page,
  developer,
  project,
}) => {
  const hall = await aDevice(developer, project);
  await using hardware = await connected(developer, hall);
  await hardware.say('events/smoke', { _alert: { severity: 'critical', text: 'Smoke in the hall' } });
  await page.goto(`/projects/${project.id}/alerts`);
  await page.getByRole('link', { name: /Smoke in the hall/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Alert' });
  const note = drawer.getByLabel('Note');
  let mayGo = Promise.withResolvers<void>();
  let isRefused = false;
  await page.route(/\/api\/alerts\/\w+$/, async route => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    await mayGo.promise;
    if (!isRefused) return route.fallback();
    await route.fulfill({ status: 404, json: { reason: 'ALERT_NOT_FOUND', message: 'This alert is gone.' } });
  });
  await note.fill('On my way');
  await drawer.getByRole('button', { name: 'Only add note' }).click();
  await note.fill('It was toast');
  mayGo.resolve();
  await expect(drawer.getByText('On my way')).toBeVisible();
  await expect(drawer.getByRole('button', { name: 'Only add note' })).not.toHaveAttribute('aria-busy');
  await expect(note).toHaveValue('It was toast');

  mayGo = Promise.withResolvers();
  isRefused = true;
  await drawer.getByRole('button', { name: 'Only add note' }).click();
  await expect(drawer.getByRole('button', { name: 'Only add note' })).toHaveAttribute('aria-busy', 'true');
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  mayGo.resolve();
  await expect(page.getByText('Your last change was not saved. This alert is gone.')).toBeVisible();
});

test('a failed read of the alert subscription can be retried', async ({ page, project }) => {
  const wishes = /alertSubscriptions$/;
  // An opened live link would make the page read again by itself.
  await page.routeWebSocket(/\/live/, () => undefined);
  await page.route(wishes, route => route.fulfill({ status: 429, json: { reason: 'TOO_MANY_REQUESTS' } }));
  await page.goto(`/projects/${project.id}/alerts`);
  const again = page.getByRole('button', { name: 'Alert e-mails: try again' });
  await expect(again).toBeVisible();
  await page.unroute(wishes);
  await again.click();
  await expect(page.getByRole('button', { name: 'Alert e-mails', exact: true })).toBeVisible();
});
