import { generateKeyPairSync, sign } from 'node:crypto';
import { readComponentVersion } from '#contract/componentVersion.ts';
import { aDevice, rewrite } from '../devices/devicePage.ts';
import { expect, expectAccessible, expectNoSidewaysScroll } from '../world.ts';
import {
  aComponent,
  aVersion,
  bytes,
  chooser,
  file,
  onDisk,
  place,
  readAgain,
  sha256,
  test,
  upload,
  versionPlace,
} from './componentsPage.ts';

test('the screen guides through the first update, and a component is created, described and deleted', async ({
  page,
  developer,
  project,
  expectRefused,
}) => {
  expectRefused('404 GET /api/components/cmp_gone', '404 GET /api/componentVersions/ver_gone');
  await page.goto(place(project, 'firmware'));
  const tabs = page.getByRole('navigation', { name: 'Firmware' }).getByRole('link');
  await expect(tabs).toHaveText(['Overview', 'Channels', 'Bundles', 'Components']);
  await expect(page.getByText('Your first update')).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: 'Add device' })).toBeVisible();
  await aDevice(developer, project);
  await page.reload();
  await page.getByRole('link', { name: 'Create component' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('REQUIRED')).toBeVisible();
  await page.keyboard.type('gateway-os');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/components\/cmp_\w+$/);
  await expect(page.getByText('No version yet')).toBeVisible();
  await expectAccessible(page);

  await page.keyboard.press('e');
  await page.getByLabel('Description').fill('Linux of the gateway');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Component saved')).toBeVisible();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete component' }).click();
  await expect(page.getByText('Do you really want to delete component gateway-os?')).toBeVisible();
  await page.getByRole('button', { name: 'Delete component' }).click();
  await expect(page.getByText('Start with a component')).toBeVisible();
  await page.goto(place(project, 'components/cmp_gone'));
  await expect(page.getByText('Component cmp_gone does not exist.')).toBeVisible();
  await page.goto(place(project, 'components/cmp_gone/versions/ver_gone'));
  await expect(page.getByText('Component version ver_gone does not exist.')).toBeVisible();
});

test('a version is created by keyboard alone, its schema must be valid, and its file arrives complete', async ({
  page,
  developer,
  project,
}) => {
  const component = await aComponent(developer, project);
  await page.goto(place(project, `components/${component.id}`));
  await expect(page.getByText('No version yet')).toBeVisible();
  await page.keyboard.press('c');
  await page.getByRole('dialog').getByLabel('Name').focus();
  await page.keyboard.type('4.2.0');
  await page.getByRole('button', { name: 'Add config schema' }).press('Enter');
  const editor = page.getByRole('textbox', { name: 'Config schema (optional)' });
  await rewrite(editor, '{"type": ');
  await page.getByRole('button', { name: 'Create version' }).last().press('Enter');
  await expect(page.getByText('INVALID_JSON')).toBeVisible();
  await rewrite(editor, '["object"]');
  await page.getByRole('button', { name: 'Create version' }).last().press('Enter');
  await expect(page.getByText('INVALID_OBJECT')).toBeVisible();
  await rewrite(editor, '{"type": "object"}');
  await page.getByRole('button', { name: 'Create version' }).last().press('Enter');
  await expect(page).toHaveURL(/versions\/ver_\w+$/);
  await expect(page.getByText('No file', { exact: true })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Start upload' }).press('Enter');
  await expect(page.getByText('Choose a file.')).toBeVisible();
  const again = await readAgain(page);
  await upload(page, sha256);
  await expect(page.getByText('Matches the checksum computed in this browser')).toBeVisible();
  await expect(page.getByText(sha256)).toBeVisible();
  await expectAccessible(page);
  // The link and checksum are read again, three seconds after the file was sent.
  await expect(page.getByText(again)).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await saving).suggestedFilename()).toBe(file.name);

  await page.route('**/files/**', route => route.fulfill({ status: 404 }));
  await page.getByRole('button', { name: 'Download' }).click();
  await expect(page.getByText('This file cannot be downloaded.')).toBeVisible();
});

test('an interrupted upload continues by itself, and sends nothing twice', async ({
  browser,
  platform,
  signIn,
  developer,
  project,
}) => {
  test.slow();
  // Not watched, because the browser logs the interruption.
  await using context = await browser.newContext({ baseURL: platform.url });
  await signIn(context, developer);
  const page = await context.newPage();
  const version = await aVersion(developer, await aComponent(developer, project));
  const arrived: string[] = [];
  let isCut = true;
  await page.route('**/files/**', async route => {
    const { pathname } = new URL(route.request().url());
    if (isCut && arrived.length > 0) return route.abort('connectionreset');
    arrived.push(pathname);
    await route.continue();
  });
  // The state of the upload cannot be read either until the network is back.
  await page.route('**/api/componentVersions/*/uploads/*', route =>
    isCut && route.request().method() === 'GET' ? route.abort('connectionreset') : route.continue(),
  );
  await page.goto(versionPlace(project, version));
  await upload(page);
  await expect(page.getByText('No connection.')).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByText('1 of 3 parts stored')).toBeVisible();
  await expect(page.getByText(/\d %/).first()).toBeVisible();
  isCut = false;
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(page.getByText('Matches the checksum computed in this browser')).toBeVisible({
    timeout: 40_000,
  });
  expect(new Set(arrived).size).toBe(arrived.length);
});

test('an upload is paused, survives a reload, and continues only with the same file', async ({
  page,
  developer,
  project,
}) => {
  test.slow();
  const version = await aVersion(developer, await aComponent(developer, project));
  let held = 0;
  await page.route('**/files/**', async route => {
    held += 1;
    // The other parts stay in flight.
    if (held === 1) await route.continue();
  });
  await page.goto(versionPlace(project, version));
  await upload(page, '', onDisk());
  await expect(page.getByText('1 of 3 parts stored')).toBeVisible();
  await expect(page.getByText('2 on their way')).toBeVisible();
  await page.keyboard.press('p');
  await expect(page.getByRole('button', { name: 'Resume upload' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoSidewaysScroll(page);

  let asked = '';
  page.once('dialog', async dialog => {
    asked = dialog.type();
    await dialog.accept();
  });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.reload();
  expect(asked).toBe('beforeunload');
  await expect(page.getByText('Choose the file to continue')).toBeVisible();
  await expect(page.getByText('1 of 3 parts stored')).toBeVisible();
  await expectAccessible(page);
  await chooser(page).setInputFiles({ ...file, name: 'other.img' });
  await expect(page.getByText(/This is a different file: the upload started with gateway/)).toBeVisible();
  await chooser(page).setInputFiles({ ...file, buffer: bytes.subarray(0, 100) });
  await expect(page.getByText(/This is a different file: the upload started with one of/)).toBeVisible();
  await chooser(page).setInputFiles(onDisk());
  await expect(page.getByText('Matches the checksum computed in this browser')).toBeVisible();
});

test('a wrong checksum is an error, and nothing is published', async ({ page, developer, project }) => {
  const version = await aVersion(developer, await aComponent(developer, project));
  await page.goto(versionPlace(project, version));
  await upload(page, '0'.repeat(64));
  await expect(page.getByText('This is not the file.')).toBeVisible();
  await expect(page.getByText('Nothing was published.')).toBeVisible();
  await expectAccessible(page);
  const { url, checksum } = await developer.client.call(readComponentVersion, {
    params: { versionId: version.id },
  });
  expect([url, checksum]).toEqual([undefined, undefined]);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete version' }).click();
  await expect(page.getByText('Do you really want to delete version')).toBeVisible();
});

test('a refused part is shown as an error and sent again by hand; an upload is cancelled', async ({
  page,
  developer,
  project,
}) => {
  const version = await aVersion(developer, await aComponent(developer, project));
  let isRefused = true;
  let refused: string | undefined;
  await page.route('**/files/**', async route => {
    refused ??= new URL(route.request().url()).pathname;
    const isIt = new URL(route.request().url()).pathname === refused;
    const json = { reason: 'DIGEST_MISMATCH', message: 'The part does not match its Content-Digest.' };
    await (isIt && isRefused ? route.fulfill({ status: 422, json }) : route.continue());
  });
  await page.goto(versionPlace(project, version));
  await upload(page);
  await expect(page.getByText('1 part could not be stored.')).toBeVisible();
  await expect(page.getByText('DIGEST_MISMATCH')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Retry part \d$/ })).toBeVisible();
  await expectAccessible(page);
  isRefused = false;
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect(page.getByText('Matches the checksum computed in this browser')).toBeVisible();

  const second = await aVersion(developer, { ...version, id: version.componentId } as never, '4.3.0');
  isRefused = true;
  refused = undefined;
  await page.goto(versionPlace(project, second));
  await upload(page, '', { ...file, buffer: bytes.subarray(0, 100) });
  await expect(page.getByText('1 part could not be stored.')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel upload' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel upload' }).click();
  await expect(page.getByRole('button', { name: 'Start upload' })).toBeVisible();
});

test('a component with a signing key accepts only files signed with it', async ({
  page,
  developer,
  project,
}) => {
  const component = await aComponent(developer, project);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
  await page.goto(place(project, `components/${component.id}`));
  await page.getByRole('button', { name: 'Add signing key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('2026-A');
  await dialog.getByLabel('Public key').fill(raw);
  await dialog.getByRole('button', { name: 'Add signing key' }).click();
  await expect(page.getByText('Each version must be signed with one of them.')).toBeVisible();

  const version = await aVersion(developer, component);
  await page.goto(versionPlace(project, version));
  await upload(page);
  const text = await page.getByRole('region', { name: 'Text to sign, code' }).innerText();
  expect(text).toContain(sha256);
  const signature = page.getByLabel('Signature', { exact: true });
  await signature.fill(sign(null, Buffer.from('another text'), privateKey).toString('base64'));
  await page.getByRole('button', { name: 'Publish signed version' }).click();
  await expect(page.getByText('SIGNATURE_INVALID')).toBeVisible();
  await expectAccessible(page);
  const buffer = sign(null, Buffer.from(text.trim()), privateKey);
  const file = { name: 'version.sig', mimeType: 'application/octet-stream', buffer };
  await page.getByLabel('Or a file with the signature').setInputFiles(file);
  await expect(signature).toHaveValue(buffer.toString('base64'));
  await page.getByRole('button', { name: 'Publish signed version' }).click();
  await expect(page.getByText('Made with key 2026-A')).toBeVisible();
});

test('a browser that cannot read files says so', async ({ page, developer, project }) => {
  const version = await aVersion(developer, await aComponent(developer, project));
  await page.addInitScript(() => Reflect.deleteProperty(Blob.prototype, 'arrayBuffer'));
  await page.goto(versionPlace(project, version));
  await expect(page.getByText('File APIs must be supported by the browser.')).toBeVisible();
});
