import { editComponent } from '#contract/component.ts';
import { expect, expectAccessible, expectNoSidewaysScroll } from '../world.ts';
import { aBundle, aComponent, aReadyVersion, place, test, versionPlace } from './componentsPage.ts';

test('no screen of components scrolls sideways on the narrowest phone', async ({
  page,
  developer,
  project,
}) => {
  const component = await aComponent(developer, project, 'w'.repeat(64));
  const version = await aReadyVersion(developer, component, 'v'.repeat(64));
  const publicKey = Buffer.alloc(32, 3).toString('base64');
  await developer.client.call(editComponent, {
    params: { componentId: component.id },
    body: { signingKeys: [{ id: 'k'.repeat(40), publicKey }] },
  });
  await aBundle(developer, project, [version]);
  await page.setViewportSize({ width: 320, height: 700 });
  for (const where of [
    place(project, 'firmware'),
    place(project, 'components'),
    place(project, `components/${component.id}`),
    versionPlace(project, version),
  ]) {
    await page.goto(where);
    await expect(page.getByText('w'.repeat(64)).filter({ visible: true }).first()).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
});
