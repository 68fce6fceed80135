import { expect, it } from 'vitest';
import { anApp } from '#test/apps.ts';
import { appRedirect, followBack } from '#test/methodSignIns.ts';
import { signInAt } from '#test/oidcProvider.ts';
import { signIns } from '#test/signIns.ts';
import { unique } from '#test/world.ts';
import { createApp } from '../app.ts';
import { storageHere } from './memory.ts';

const { at, aMethod } = signIns();

it('an app signs in with a provider, and refuses to finish a sign-in it did not start', async () => {
  const { id, projectId } = await anApp(at.owner, at.project.id, { redirects: [appRedirect] });
  const methodId = await aMethod(at.provider);
  const phone = (storage = storageHere()) =>
    createApp({ url: at.world.url, app: `${id}@${projectId}`, storage, deviceName: 'Mari’s phone' });
  const storage = storageHere();
  const login = unique('mari');
  const signInUrl = await phone(storage).startMethod(methodId, appRedirect);
  const { href } = await followBack(await signInAt(signInUrl, login));

  // Somebody sends a link with their own code: to another phone, and to this one while no sign-in is under way.
  await expect(phone().finishMethod(href)).rejects.toMatchObject({ reason: 'STATE_UNKNOWN' });
  const forged = href.replace(/state=[^&]*/, 'state=forged');
  await expect(phone(storage).finishMethod(forged)).rejects.toMatchObject({ reason: 'STATE_UNKNOWN' });

  // The app was closed while the browser was open: it continues from what it stored.
  const app = phone(storage);
  const me = await app.finishMethod(href);
  expect(me.name).toBe(`${login} of Test`);
  expect(await app.sessions()).toMatchObject([{ deviceName: 'Mari’s phone' }]);
  await expect(app.finishMethod(href)).rejects.toMatchObject({ reason: 'STATE_UNKNOWN' });

  // The user changed their mind at the provider.
  const again = phone(storage);
  await again.startMethod(methodId, appRedirect);
  const { state } = JSON.parse(String(await storage.getItem(`mooring ${id}@${projectId} signing in`)));
  const cancelled = `${appRedirect}?error=access_denied&state=${state}`;
  await expect(again.finishMethod(cancelled)).rejects.toMatchObject({ reason: 'access_denied' });
});
