import { afterEach } from 'vitest';
import type { App as AppRow } from '#contract/app.ts';
import { storageHere } from '#sdk/app/memory.ts';
import { type App, type AppOptions, createApp } from '#sdk/app.ts';
import { connectDevice } from '#sdk/device.ts';
import { anApp } from './apps.ts';
import { anEndUser } from './endUsers.ts';
import type { ProjectWorld } from './projectWorld.ts';

export const password = 'correct horse battery';

/** Apps as they run on phones, each closed after the test. */
export function phonesOf(at: ProjectWorld) {
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
  });
  let row: AppRow | undefined;

  async function phone(given: Partial<AppOptions> = {}): Promise<App> {
    row ??= await anApp(at.owner, at.projectId);
    const own = { url: at.world.url, app: `${row.id}@${at.projectId}`, storage: storageHere() };
    const app = createApp({ ...own, ...given });
    open.push(app);
    return app;
  }

  async function signedIn(given: Partial<AppOptions> = {}): Promise<{ app: App; email: string }> {
    const app = await phone(given);
    const { email } = await anEndUser(at.world, { id: row?.id ?? '', projectId: at.projectId }, { password });
    await app.signIn(email, password);
    return { app, email };
  }

  /** A user's home with a device, and the hardware of that device. */
  async function aLamp(given: Partial<AppOptions> = {}) {
    const { app, email } = await signedIn(given);
    const made = await at.device({ name: 'Lamp' });
    const thing = connectDevice({ url: at.world.url, deviceId: made.id, apiKey: made.apiKey });
    open.push(thing);
    const home = await app.openHome((await app.createHome('Home', 'Europe/Oslo')).id);
    const lamp = await home.claim(made.claimCode ?? '');
    return { app, email, home, lamp, thing, made };
  }

  return { phone, signedIn, aLamp };
}
