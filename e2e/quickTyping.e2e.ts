import { readComponentVersion } from '#contract/componentVersion.ts';
import { rewrite } from './devices/devicePage.ts';
import { aComponent, place, test } from './firmware/componentsPage.ts';
import { expect } from './world.ts';

test('text typed right before a form is submitted is included', async ({ page, developer, project }) => {
  const component = await aComponent(developer, project);
  await page.goto(place(project, `components/${component.id}#new`));
  await page.getByRole('dialog').getByLabel('Name').fill('4.2.0');
  await page.getByRole('button', { name: 'Add config schema' }).click();
  const editor = page.getByRole('textbox', { name: 'Config schema (optional)' });
  await rewrite(editor, '{"type": "object"}');
  await editor.press('ControlOrMeta+a');
  // In one task, so that nothing is rendered in between.
  await editor.evaluate(element => {
    const data = '{"type": "object", "title": "Gateway"}';
    element.dispatchEvent(new InputEvent('beforeinput', { inputType: 'insertText', data, cancelable: true }));
    ((element.getRootNode() as ShadowRoot).host.closest('form') as HTMLFormElement).requestSubmit();
  });
  await expect(page).toHaveURL(/versions\/ver_\w+$/);
  const versionId = page.url().split('/').at(-1) ?? '';
  const version = await developer.client.call(readComponentVersion, { params: { versionId } });
  expect(version.deviceConfigSchema).toEqual({ type: 'object', title: 'Gateway' });
});
