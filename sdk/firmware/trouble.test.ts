import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { digestedComponents, targetProof } from '#rules/firmware/targetProof.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { aFileServer } from '#test/fileServer.ts';
import { sha256, UpdateRig } from '#test/updateRig.ts';
import { Busy } from '../busy.ts';
import { SendFault } from '../connection/sendFault.ts';
import type { Target } from '../frames.ts';
import { UpdateFault } from './updateFault.ts';

vi.setConfig({ testTimeout: 15_000 });

const server = aFileServer();
const file = Uint8Array.from({ length: 1_000 }, (_, at) => at % 251);

/** A device that receives the target; `prepare` can make the device or the platform fail. */
function aRig(prepare: (rig: UpdateRig) => void): UpdateRig {
  server.files.set('/main', file);
  const about = { component: 'main', version: '2.0.0', size: file.length, sha256: sha256(file) };
  const components = [{ ...about, url: `${server.url}/main` }];
  const rig = new UpdateRig();
  rig.platform.target = { sequence: 4, bundleId: 'bnd_1', components };
  prepare(rig);
  rig.powerOn();
  return rig;
}

const full = () => {
  throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' });
};
const refused = (rig: UpdateRig) => JSON.parse(rig.text ?? '{}').refused;

it.each([
  ['has passed', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['is none', new Date(''), expect.stringMatching(/^20/)],
])('a time that %s is asked about again in a minute', async (_, postponedUntil, until) => {
  let left = 3;
  const rig = aRig(one => {
    one.more.mayUpdate = () => (left-- > 0 ? { postponedUntil } : 'yes');
  });
  await rig.ends('done');
  const postponed = rig.platform.progress.filter(({ state }) => state === 'postponed');
  expect(postponed.map(one => one.until)).toEqual([until, until, until]);
  expect(rig.waits.slice(0, 3)).toEqual([minuteMs, minuteMs, minuteMs]);
});

it('a postponed update begins on time even if the clock is set meanwhile', async () => {
  const [until, waits] = [Date.UTC(2026, 0, 2), [] as number[]];
  let [now, asked] = [0, 0];
  const rig = aRig(one => {
    one.more.mayUpdate = () => (asked++ === 0 ? { postponedUntil: new Date(until) } : 'yes');
    one.options.now = () => new Date(now);
    one.options.wait = async ms => {
      // Keep the watchdog of the trial from firing.
      if (waits.push(ms) > 2) await new Promise(() => undefined);
      now = now === 0 ? until - 90_000 : now + ms;
    };
  });
  await rig.ends('done');
  expect(waits.slice(0, 2)).toEqual([10 * minuteMs, 90_000]);
});

it.each<[string, Pick<UpdateRig, 'more' | 'options'>]>([
  ['for the file', { more: { write: full }, options: {} }],
  [
    'for what the updater remembers',
    { more: {}, options: { store: { read: () => undefined, write: full } } },
  ],
])('a disk that is full %s is reported so, and the update comes when there is room', async (_, fault) => {
  const rig = aRig(one => void Object.assign(one, fault));
  await rig.ends('failed no_space');
  await expect.poll(() => rig.waits.at(-1)).toBe(6 * 60 * minuteMs);
  expect(refused(rig)).toBeUndefined();
  Object.assign(rig, { more: {}, options: {} });
  rig.powerOn();
  await rig.ends('done');
});

it('a failed target is not retried until the next start if a full disk kept the device from storing it', async () => {
  const rig = aRig(one => {
    one.options.deviceClass = 'heater';
    one.options.store = { read: () => undefined, write: full };
  });
  await rig.ends('failed wrong_class');
  const { length } = rig.platform.progress;
  rig.updater.proceed();
  await expect.poll(() => rig.updater.isRunning).toBe(false);
  expect(rig.platform.progress).toHaveLength(length);
});

it('a reboot in progress is not mistaken for a rollback', async () => {
  const rig = aRig(one => {
    one.more.reboot = () => undefined;
  });
  await rig.ends('rebooting');
  await expect.poll(() => rig.updater.isRunning).toBe(false);
  rig.powerOn();
  await rig.ends('done', 'failed rolled_back');
  expect(rig.boot.starts).toBe('new');
});

it('a full outbox neither ends a trial nor fails the update', async () => {
  let full = 2;
  const rig = aRig(({ platform }) => {
    const report = platform.reportInstalled.bind(platform);
    platform.reportInstalled = installed =>
      installed.sequence === 4 && full-- > 0
        ? Promise.reject(new SendFault('OUTBOX_FULL'))
        : report(installed);
  });
  await rig.ends('done', 'failed self_test_failed');
  expect(rig.boot.starts).toBe('new');
  rig.platform.reportInstalled = () => Promise.reject(new SendFault('CLOSED'));
  rig.updater.proceed();
  await expect.poll(() => rig.updater.isRunning).toBe(false);
  expect(refused(rig)).toBeUndefined();
});

/** The platform's key, and what signs a target with it. */
function aProver() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const platformKey = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  const proven = (target: Target, expiresAt: string): Target => {
    const listed = target.components.map(one => ({ ...one, securityVersion: 0 }));
    const dates = { issuedAt: '2026-01-01T00:00:00.000Z', expiresAt };
    const digest = sha256(Buffer.from(digestedComponents(listed)));
    const text = targetProof({ deviceId: 'dev_1', sequence: 4, ...dates, digest });
    return {
      ...target,
      proof: { ...dates, digest, signature: sign(null, Buffer.from(text), privateKey).toString('base64') },
    };
  };
  return { trust: { project: 'prj_1', platformKey }, proven };
}

it('a target whose signature has expired is read again', async () => {
  const { trust, proven } = aProver();
  const rig = aRig(one => {
    one.options.trust = trust;
    const { platform } = one;
    const { target } = platform;
    if (!target) return;
    platform.target = proven(target, '2026-01-02T00:00:00.000Z');
    platform.onRead = () => {
      platform.target = proven(target, '2999-01-01T00:00:00.000Z');
    };
  });
  await rig.ends('done', 'failed manifest_invalid');
  expect(rig.boot.starts).toBe('new');
});

it('a device whose clock is ahead updates once it is set, however long that takes', async () => {
  const { trust, proven } = aProver();
  const rig = aRig(one => {
    const failures = () => one.platform.states.filter(state => state.startsWith('failed')).length;
    // As often as a target with a wrong checksum is tried.
    one.options = { trust, now: () => new Date(failures() < 3 ? '2030-01-01' : '2026-01-01') };
    const { target } = one.platform;
    if (target) one.platform.target = proven(target, '2026-01-02T00:00:00.000Z');
  });
  await expect.poll(() => rig.platform.states.at(-1) === 'done' || refused(rig)).toBe(true);
  expect(rig.platform.states).toContain('failed url_expired');
});

it('reading the target from a busy platform is retried after the time it asked for', async () => {
  const rig = aRig(({ platform }) => {
    platform.onRead = count => {
      const headers = { 'retry-after': '240' };
      if (count === 1) throw new Busy(new Response(null, { status: 503, headers }));
    };
  });
  await rig.ends('done');
  expect(rig.platform.states).toContain('failed server_busy');
  expect(rig.waits).toContain(240_000);
});

it.each<[string, (rig: UpdateRig) => void, string]>([
  ['without space', one => Object.assign(one.more, { write: full }), 'no_space'],
  [
    'of a busy platform',
    ({ platform }) => {
      platform.onRead = () => {
        throw new Busy(new Response(null, { status: 503, headers: { 'retry-after': '3600' } }));
      };
    },
    'server_busy',
  ],
])('the pause after a failure %s goes on when the same target is sent again', async (_, prepare, code) => {
  const rig = aRig(prepare);
  await rig.ends(`failed ${code}`);
  await expect.poll(() => rig.updater.isRunning).toBe(false);
  const { target } = rig.platform;
  if (!target) throw new Error('There is no target.');
  rig.platform.tell({ ...target });
  rig.platform.tell(null);
  rig.platform.tell({ ...target });
  expect(rig.updater.isRunning).toBe(false);
  rig.platform.tell({ ...target, sequence: 5 });
  expect(rig.updater.isRunning).toBe(true);
});

it('the pause after a failure ends when the device says that something has changed', async () => {
  const rig = aRig(one => Object.assign(one.more, { write: full }));
  await rig.ends('failed no_space');
  await expect.poll(() => rig.updater.isRunning).toBe(false);
  rig.updater.proceed();
  expect(rig.updater.isRunning).toBe(true);
});

it.each<[string, (rig: UpdateRig, fail: () => never) => void, string]>([
  ['a self-test', (one, fail) => Object.assign(one.more, { selfTest: fail }), 'failed self_test_failed'],
  ['an installation', (one, fail) => Object.assign(one.more, { install: fail }), 'failed install_failed'],
])('the cause of %s that failed is reported, however long it is', async (_, prepare, state) => {
  const rig = aRig(one =>
    prepare(one, () => {
      throw new Error(`The radio is dead.\0${'x'.repeat(1980)}😀${'y'.repeat(1000)}`);
    }),
  );
  await rig.ends(state);
  expect(rig.platform.progress.at(-1)?.error).toMatch(/^The radio is dead\./);
});

it('a failure is reported whatever the form of its code', async () => {
  const rig = aRig(one => {
    one.more.install = () => {
      throw new UpdateFault('Radio-Dead!', 'The radio is dead.');
    };
  });
  await rig.ends('failed radio_dead');
  expect(rig.platform.progress.at(-1)?.error).toBe('The radio is dead.');
});
