import { readDeveloper } from '#contract/account.ts';
import { expect, expectAccessible, test } from '../world.ts';

test.use({ sampleProject: 'on' });

test('a newcomer reads the welcome, sees the sample, and is guided in a project of their own', async ({
  page,
  developer: _,
}) => {
  await page.goto('/projects');
  const welcome = page.getByRole('region', { name: 'Welcome' });
  await expect(welcome).toContainText('A project is one product');
  await expectAccessible(page);
  await welcome.getByRole('button', { name: 'Explore the sample' }).click();
  const tour = page.getByRole('region', { name: 'Your tour' });
  await tour.getByRole('button', { name: 'All steps' }).click();
  await expectAccessible(page);
  await tour.getByRole('link', { name: 'Simulate a device' }).click();
  await expect(page.getByRole('button', { name: 'Open simulator' })).toBeVisible();
  await page.goBack();
  await tour.getByRole('button', { name: 'All steps' }).click();
  await page.getByRole('link', { name: 'Start your own project' }).click();
  await page.getByLabel('Name').fill('Pump monitors');
  await page.keyboard.press('Enter');
  const next = page.getByRole('region', { name: 'Next steps' });
  await expect(next).toBeVisible();
  await expectAccessible(page);
  await next.getByRole('button', { name: 'All steps' }).click();
  await next.getByRole('link', { name: 'Invite your team' }).click();
  await expect(page.getByRole('dialog', { name: 'Add member' })).toBeVisible();
  await page.goto('/projects');
  await expect(page.getByRole('link', { name: /Pump monitors/ })).toBeVisible();
  await expect(welcome).toHaveCount(0);
});

test('a dismissed welcome can be reopened from the help', async ({ page, developer: _ }) => {
  await page.goto('/projects');
  const welcome = page.getByRole('region', { name: 'Welcome' });
  await welcome.getByRole('button', { name: 'Not now' }).click();
  await expect(welcome).toHaveCount(0);
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByRole('menuitem', { name: 'What is Mooring?' }).click();
  await expect(welcome).toBeVisible();
  await welcome.getByRole('button', { name: 'Not now' }).click();
  await expect(welcome).toHaveCount(0);
  // Skipping loses nothing: the tour can still be taken in the sample, and starting it moves the focus to its first
  // link.
  await page.getByRole('link', { name: /Sample project/ }).click();
  await page.getByRole('button', { name: 'Take it now' }).click();
  await expect(page.getByRole('region', { name: 'Your tour' }).getByRole('link').first()).toBeFocused();
});

test('one click simulates a device of the sample, and the tour marks this as done', async ({
  page,
  context,
  developer,
}) => {
  await page.goto('/projects');
  await page.getByRole('button', { name: 'Explore the sample' }).click();
  const tour = page.getByRole('region', { name: 'Your tour' });
  await tour.getByRole('button', { name: 'All steps' }).click();
  await expect(tour.getByRole('link', { name: 'Simulate a device' })).toBeVisible();
  await expectAccessible(page);
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Simulate a device' }).click();
  await expect(await opened).toHaveURL(/\/devicesim\/.*/);
  await expect(tour.getByRole('link', { name: 'Simulate a device (done)' })).toBeVisible();
  expect(developer.email).toBeTruthy();
});

test('each step of the tour is ticked only by doing it, and only once', async ({
  page,
  context,
  developer,
}) => {
  const flags = async () => {
    const params = { developerId: developer.developer.id };
    return Object.keys((await developer.client.call(readDeveloper, { params })).onboardStates).toSorted();
  };
  await page.goto('/projects');
  await expect(page.getByRole('button', { name: 'Explore the sample' })).toBeVisible();
  expect(await flags()).toEqual([]);
  await page.getByRole('button', { name: 'Explore the sample' }).click();
  const tour = page.getByRole('region', { name: 'Your tour' });
  await tour.getByRole('button', { name: 'All steps' }).click();
  expect(await flags()).toEqual(['started']);
  const home = page.url();
  const seen = ['started'];
  for (const [title, flag] of [
    ['Look at the devices', 'entered_devices'],
    ['Look at the apps', 'entered_apps'],
    ['Look at the users', 'entered_users'],
    ['Look at the smart modules', 'entered_smart_modules'],
  ] as const) {
    seen.push(flag);
    await tour.getByRole('link', { name: title }).last().click();
    await expect.poll(flags).toEqual(seen.toSorted());
    // If the page were left before the answer arrives, it would not know about it.
    await expect.poll(() => page.evaluate(() => localStorage.getItem('mooring.session'))).toContain(flag);
    await page.goto(home);
    await tour.getByRole('button', { name: 'All steps' }).click();
    await expect(tour.getByRole('link', { name: `${title} (done)` })).toBeVisible();
  }
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Open app and device' }).click();
  await opened;
  await expect.poll(flags).toEqual([...seen, 'launched_app_sim', 'launched_dev_sim'].toSorted());
  await expect(tour).toContainText('Next: Start your own project');
});

test('a setting is found by its topic, from any screen of the project', async ({ page, aProject }) => {
  const { id } = await aProject();
  await page.goto(`/projects/${id}/team`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // Experienced users type without waiting for the palette.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('password policy');
  await expect(page.getByRole('combobox')).toHaveValue('password policy');
  await page.getByRole('option', { name: 'User auth settings' }).click();
  await expect(page.getByRole('region', { name: 'User password policy' })).toBeVisible();
});
