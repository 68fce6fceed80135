import type { Page } from '@playwright/test';
import { createApp, editApp } from '#contract/app.ts';
import { editHomeMember, listHomes } from '#contract/home.ts';
import { addHomeDevice } from '#contract/homeDevice.ts';
import { editProject } from '#contract/project.ts';
import { listUsers } from '#contract/user.ts';
import { createUserAuthMethod } from '#contract/userAuthMethod.ts';
import { anOidcProvider } from '#test/oidcProvider.ts';
import { aDevice, test } from '../devices/devicePage.ts';
import { anEmail, expect, expectAccessible } from '../world.ts';
import { newestCode, openLink, registerOn } from './appsimPage.ts';

const appId = 'lamps';
/** The phone alone, because the traffic beside it repeats its texts. */
const phoneOn = (page: Page) => page.getByRole('region', { name: 'Phone' });

test('a user signs in with a provider on the phone, and is told the reason if that fails', async ({
  context,
  platform,
  developer: { client },
  project,
}) => {
  const provider = await anOidcProvider();
  provider.register(`${platform.url}/api/userAuth/callback`);
  const { issuer, clientId, clientSecret } = provider;
  const params = { projectId: project.id };
  await client.call(createApp, { params, body: { id: appId } });
  const config = { issuer, clientId, clientSecret };
  await client.call(createUserAuthMethod, {
    params,
    body: { label: 'Nordlys account', protocol: 'oidc', config },
  });
  const address = `/appsim/${project.id}/${appId}`;
  // The provider's page is not ours, so it is not watched.
  const page = await context.newPage();
  await page.goto(address);
  const phone = phoneOn(page);
  const method = phone.getByRole('button', { name: 'Nordlys account' });
  await method.click();
  const redirect = platform.url + address;
  await expect(page.getByRole('button', { name: `Copy redirect: ${redirect}` })).toBeVisible();
  await client.call(editApp, { params: { appId }, query: params, body: { redirects: [redirect] } });

  await method.click();
  await page.getByRole('link', { name: /cancel/i }).click();
  await expect(page).toHaveURL(address);
  await expect(phoneOn(page).getByRole('alert')).toContainText('access_denied');
  await expectAccessible(page);

  await method.click();
  await page.getByPlaceholder(/login/i).fill('ada');
  await page.getByPlaceholder(/password/i).fill('any');
  await page.getByRole('button', { name: /sign-in/i }).click();
  await page.getByRole('button', { name: /continue/i }).click();
  await expect(page.getByText('Signed in', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(address);
  await expect(phoneOn(page).getByRole('alert')).toHaveCount(0);
  await page.getByRole('button', { name: 'Create home' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Account of ada of Test' }).click();
  await expect(page.getByRole('list', { name: 'Account' })).toContainText('Nordlys account');
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await expect(method).toBeVisible();
  await provider.end();
});

test('a forgotten password is reset with the code and with the link, and other sessions end', async ({
  page,
  open,
  watch,
  platform,
  developer,
  project,
  expectRefused,
}) => {
  expectRefused(
    '400 POST /app/v1/*/passwordReset',
    '401 GET /app/v1/*/events',
    '401 POST /app/v1/*/sessions/refresh',
    '401 POST /app/v1/*/sessions',
  );
  await developer.client.call(createApp, { params: { projectId: project.id }, body: { id: appId } });
  const address = `/appsim/${project.id}/${appId}`;
  await page.goto(address);
  const email = await registerOn(page, platform.url);
  const other = await (await open(developer)).context().newPage();
  watch(other);
  await other.goto(address);
  await other.getByLabel('E-mail').fill(email);
  await other.getByRole('button', { name: 'Forgot password?' }).click();
  await other.getByRole('button', { name: 'Send code' }).click();
  await expect(other.getByText('a code is on its way there')).toBeVisible();
  await other.getByLabel('Code').fill('000000');
  await other.getByLabel('New password').fill('a buoy in the evening 3');
  await other.getByRole('button', { name: 'Set password' }).click();
  await expect(other.getByText('CODE_WRONG', { exact: true })).toBeVisible();
  await expect(other.getByLabel('Code')).toBeFocused();
  await expectAccessible(other);
  await other.getByLabel('Code').fill(await newestCode(platform.url, email));
  await other.getByRole('button', { name: 'Set password' }).click();
  await expect(other.getByText('Signed in', { exact: true })).toBeVisible();
  // The phone signed in with the old password is signed out.
  await expect(page.getByText('Your session has ended.')).toBeVisible();

  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText('a code is on its way there')).toBeVisible();
  const mail = await openLink(page, platform.url, email);
  await mail.getByLabel('New password').fill('a rope around the bollard 5');
  await mail.getByRole('button').click();
  await expect(mail.getByRole('heading', { name: 'Your password is set' })).toBeVisible();
  await mail.close();
  await expect(other.getByText('Your session has ended.')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
  await phoneOn(page).getByRole('textbox', { name: 'Password' }).fill('a buoy in the evening 3');
  await signIn.click();
  await expect(phoneOn(page).getByRole('alert')).toBeVisible();
  await phoneOn(page).getByRole('textbox', { name: 'Password' }).fill('a rope around the bollard 5');
  await signIn.click();
  await expect(page.getByText('Signed in', { exact: true })).toBeVisible();
});

test('a guest with access until tomorrow sees a device in that time, and when it begins and ends', async ({
  page,
  open,
  watch,
  platform,
  developer,
  project,
}) => {
  const { client } = developer;
  const params = { projectId: project.id };
  await client.call(editProject, { params, body: { enablePermissionBasedAccessControl: true } });
  await client.call(createApp, { params, body: { id: appId } });
  const address = `/appsim/${project.id}/${appId}`;
  await page.goto(address);
  await registerOn(page, platform.url);
  await page.getByRole('button', { name: 'Create home' }).click();
  await expect(page.getByText('No devices yet.')).toBeVisible();
  const [home] = (await client.call(listHomes, { query: params })).items;
  const homeId = home?.id ?? '';
  const device = await aDevice(developer, project, { name: 'Hall lamp' });
  await client.call(addHomeDevice, { params: { homeId }, body: { deviceId: device.id } });
  await expect(phoneOn(page).getByRole('button', { name: 'Hall lamp' })).toBeVisible();

  const nav = page.getByRole('navigation', { name: 'App' });
  await nav.getByRole('button', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const email = anEmail('guest');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('radio', { name: /Guest/ }).check();
  await page.getByLabel('Hall lamp', { exact: true }).check();
  await page.getByLabel('Until (optional)').fill(`${dayAhead(1)}T10:00`);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('list', { name: 'Invited' })).toContainText(/guest until .*10:00/);

  const guest = await (await open(developer)).context().newPage();
  watch(guest);
  await guest.goto(address);
  await registerOn(guest, platform.url, email);
  await expect(guest.getByRole('list', { name: 'Invitations' })).toContainText(/guest, until /);
  await guest.getByRole('button', { name: 'Accept' }).click();
  const lamp = phoneOn(guest).getByRole('button', { name: 'Hall lamp' });
  await expect(lamp).toBeVisible();
  await expect(guest.getByText(/^You are a guest here until .*10:00\.$/)).toBeVisible();
  await expectAccessible(guest);

  // Before: the owner makes the access begin the day after tomorrow.
  await page.getByRole('list', { name: 'Members' }).getByText(email).click();
  await page.getByLabel('From (optional)').fill(`${dayAhead(2)}T10:00`);
  await page.getByLabel('Until (optional)').fill(`${dayAhead(3)}T10:00`);
  await page.getByRole('button', { name: 'Change role' }).click();
  await expect(guest.getByText(/^You will be a guest here from /)).toBeVisible();
  await expect(guest.getByText('You have no access to any device right now.')).toBeVisible();
  await expect(lamp).toHaveCount(0);

  // Now: the access ends by itself.
  const [user] = (await client.call(listUsers, { query: { ...params, search: email } })).items;
  const letIn = (forMs: number) => {
    const until = new Date(Date.now() + forMs).toISOString();
    return client.call(editHomeMember, {
      params: { homeId, userId: user?.id ?? '' },
      body: { role: 'guest', guest: { devices: [{ deviceId: device.id, mayControl: false }], until } },
    });
  };
  await letIn(3_600_000);
  await expect(lamp).toBeVisible();
  await letIn(5_000);
  await expect(guest.getByText(/^You were a guest here until /)).toBeVisible();
  await expect(lamp).toHaveCount(0);
});

/** A date in the format of a date field. Homes are in the browser's time zone, which is that of this machine. */
function dayAhead(days: number): string {
  const day = new Date();
  day.setDate(day.getDate() + days);
  const [month, date] = [day.getMonth() + 1, day.getDate()].map(part => String(part).padStart(2, '0'));
  return `${day.getFullYear()}-${month}-${date}`;
}
