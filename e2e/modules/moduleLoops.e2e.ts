import { createSmartModule } from '#contract/smartModule.ts';
import { aDevice, connected, test } from '../devices/devicePage.ts';
import { expect, expectAccessible } from '../world.ts';

test('rules that trigger each other through a device are stopped, and the screen shows the chain', async ({
  page,
  developer,
  project,
}) => {
  test.slow();
  // Each rule acts once, so that none is held for acting too often.
  for (const level of [1, 2, 3, 4, 5])
    await developer.client.call(createSmartModule, {
      params: { projectId: project.id },
      body: {
        id: `from-${level}`,
        moduleType: 'rule',
        subscribedEvents: ['_state_'],
        configData: {
          condition: `state.level == ${level}`,
          actions: [{ kind: 'desired', patch: { level: level + 1 } }],
        },
      },
    });
  await using hardware = await connected(developer, await aDevice(developer, project, { name: 'Lamp' }));
  await hardware.listen('delta');
  hardware.client.on('message', (_, payload) => {
    const { delta } = JSON.parse(payload.toString());
    if ('level' in delta) void hardware.say('state', delta);
  });
  await hardware.say('state', { level: 1 });

  await page.goto(`/projects/${project.id}/smart_modules/from-5/runs`);
  const stopped = page.getByRole('row').filter({ hasText: 'Dropped' });
  await expect(stopped).toContainText('Not done: the event was caused by a chain of 4 modules');
  await stopped.getByRole('button').click();
  const detail = page.getByRole('region', { name: 'Details of the run' });
  await expect(detail).toContainText('Caused by a chain of 4 runs: from-1 → from-2 → from-3 → from-4');
  await expectAccessible(page);
  await detail.getByRole('link', { name: 'from-4' }).click();
  await expect(page).toHaveURL(/\/smart_modules\/from-4\/runs/);
  await expect(detail).toContainText('from-1 → from-2 → from-3');
});
