import { listCommands } from '#contract/command.ts';
import { listDevices } from '#contract/device.ts';
import { listKeys } from '#contract/key.ts';
import { classAddress, deviceAddress, test } from './devices/devicePage.ts';
import { loseAnswers } from './lostAnswers.ts';
import { expect } from './world.ts';

// Not watched, because the browser logs each call without an answer.
const unwatched = test.extend({
  page: async ({ context, developer: _ }, use) => use(await context.newPage()),
});

unwatched(
  'a submission whose answer is lost is made once, however often it is sent',
  async ({ page, developer, project, device }) => {
    const { client } = developer;
    const dialog = page.getByRole('dialog');
    const projectId = project.id;
    const lostDevices = await loseAnswers(page, 'POST', /\/api\/devices$/);
    await page.goto(classAddress(project, '/thermostat/instances#new'));
    await dialog.getByLabel('Tag').fill('cellar-01');
    await dialog.getByRole('button', { name: 'Add device' }).click();
    await expect(dialog.getByText('CONNECTION_ERROR')).toBeVisible();
    await dialog.getByRole('button', { name: 'Add device' }).click();
    await expect(page.getByRole('dialog', { name: 'Device added' })).toBeVisible();
    expect(lostDevices()).toBe(1);
    const devices = await client.call(listDevices, { query: { projectId } });
    expect(devices.items.map(({ tag }) => tag).sort()).toEqual(['cellar-01', device.tag].sort());

    await loseAnswers(page, 'POST', /\/keys$/);
    await page.goto(`/projects/${projectId}/other_clients#new`);
    await dialog.getByLabel('Name').fill('Back end');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await expect(dialog.getByText('CONNECTION_ERROR')).toBeVisible();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await expect(page.getByText('CONNECTION_ERROR')).toBeHidden();
    expect((await client.call(listKeys, { params: { projectId } })).items).toHaveLength(1);

    await loseAnswers(page, 'POST', /\/commands$/);
    await page.goto(deviceAddress(device, '#command'));
    await dialog.getByLabel('Name').fill('blink');
    await dialog.getByRole('button', { name: 'Send command' }).click();
    await expect(dialog.getByText('CONNECTION_ERROR')).toBeVisible();
    await dialog.getByRole('button', { name: 'Send command' }).click();
    await expect(page.getByText('Command sent')).toBeVisible();
    const sent = () => client.call(listCommands, { params: { deviceId: device.id } });
    expect((await sent()).total).toBe(1);

    // The next command of the same name is another one.
    await page.getByRole('button', { name: 'Send command' }).click();
    await dialog.getByLabel('Name').fill('blink');
    await dialog.getByRole('button', { name: 'Send command' }).click();
    await expect.poll(async () => (await sent()).total).toBe(2);
  },
);

unwatched(
  'an edit whose answer is lost is not taken for a change by somebody else',
  async ({ page, device }) => {
    await page.goto(deviceAddress(device));
    await page.getByRole('button', { name: 'Edit identity' }).click();
    await page.getByLabel('Name').fill('Cellar');
    await loseAnswers(page, 'PATCH', /\/devices\/\w+$/);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('CONNECTION_ERROR')).toBeVisible();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Device saved')).toBeVisible();
    await expect(page.getByRole('alert', { name: 'Changed by someone else' })).toBeHidden();
    await expect(page.getByRole('heading', { level: 1, name: 'Cellar' })).toBeVisible();
  },
);
