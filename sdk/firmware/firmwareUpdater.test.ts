import { describe, expect, it } from 'vitest';
import { aFileServer, misconducts } from '#test/fileServer.ts';
import { until } from '#test/until.ts';
import { sha256, UpdateRig } from '#test/updateRig.ts';
import type { Target } from '../frames.ts';
import { UpdateFault } from './updateFault.ts';

const server = aFileServer();
const KiB = 1024;
const file = (length: number, seed: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + seed) % 251);
const files = { main: file(200 * KiB + 7, 1), radio: file(70 * KiB, 2) };

function aTarget(more: Partial<Target> = {}): Target {
  const components = Object.entries(files).map(([component, bytes]) => {
    server.files.set(`/${component}`, bytes);
    const size = bytes.length;
    return { component, version: '2.0.0', size, sha256: sha256(bytes), url: `${server.url}/${component}` };
  });
  return { sequence: 4, bundleId: 'bnd_1', deviceClass: 'lamp', components, ...more };
}

/** A device that receives the target; `prepare` can make the device or the server fail. */
function aRig(prepare: (rig: UpdateRig) => void = () => undefined): UpdateRig {
  server.asked.length = 0;
  server.misconduct.length = 0;
  const rig = new UpdateRig();
  rig.platform.target = aTarget();
  prepare(rig);
  rig.powerOn();
  return rig;
}

const ended = ['done', 'declined', 'ready', 'postponed'];
const codes = ['hash_mismatch', 'network', 'server_busy', 'url_expired', 'timeout'];
const failures = codes.map(code => `failed ${code}`);

function expectNew(rig: UpdateRig): void {
  const sums = Object.fromEntries([...rig.slots].map(([name, bytes]) => [name, sha256(bytes)]));
  expect(sums).toEqual({ main: sha256(files.main), radio: sha256(files.radio) });
  expect(rig.boot).toMatchObject({ runs: 'new', starts: 'new' });
  expect(rig.platform.installed.at(-1)).toMatchObject({ bundleId: 'bnd_1', sequence: 4 });
}

it('an update goes through its states, and the running version is reported before it is confirmed', async () => {
  const rig = aRig();
  await rig.ends('done');
  const course = 'accepted downloading verifying installing rebooting confirming done';
  expect([...new Set(rig.platform.states)].join(' ')).toBe(course);
  expect(rig.platform.progress.every(({ sequence }) => sequence === 4)).toBe(true);
  expect(rig.done.slice(-4)).toEqual(['reboot', 'store trial 71680', 'confirm', 'store settled']);
  expectNew(rig);
  rig.platform.tell(aTarget());
  rig.platform.tell(aTarget({ sequence: 5, bundleId: 'bnd_2' }));
  await expect.poll(() => rig.platform.installed.at(-1)?.sequence).toBe(5);
  expect(server.asked).toHaveLength(2);
});

describe('a download', () => {
  const cut = misconducts.cut(100_000);
  it.each([
    ['that breaks off resumes where it stopped', [cut], 'bytes=100000-'],
    ['whose range is answered with the whole file starts over', [cut, misconducts.whole], ''],
    ['that gets another range starts over', [cut, misconducts.otherRange], ''],
    ['that is throttled waits as long as told', [misconducts.status(429, { 'retry-after': '7' })], ''],
    ['whose link has expired reads the target again', [misconducts.status(403)], ''],
    ['from a failing server is retried', [misconducts.status(503), misconducts.status(502)], ''],
  ])('%s', async (_, misconduct, lastRange) => {
    const rig = aRig(() => server.misconduct.push(...misconduct));
    await rig.ends('done', ...failures);
    expectNew(rig);
    // The second to last: the other file takes one request.
    expect(server.asked.at(-2)).toBe(misconduct.includes(misconducts.whole) ? 'bytes=100000-' : lastRange);
    if (lastRange === '' && misconduct.length === 1) expect(server.asked).toHaveLength(3);
  });

  it('waits as long as the server says when it is throttled', async () => {
    const rig = aRig(() => server.misconduct.push(misconducts.status(429, { 'retry-after': '7' })));
    await rig.ends('done');
    expect(rig.waits).toContain(7_000);
  });

  it.each([
    ['is longer than announced', [misconducts.claims(files.main.length + 1)], 'hash_mismatch'],
    ['never ends', [misconducts.longer], 'hash_mismatch'],
    ['has other contents', [misconducts.tampered], 'hash_mismatch'],
    ['cannot be downloaded', Array.from({ length: 5 }, () => misconducts.status(500)), 'network'],
    ['is always refused', Array.from({ length: 5 }, () => misconducts.status(403)), 'url_expired'],
    ['stays throttled', Array.from({ length: 20 }, () => misconducts.status(429)), 'server_busy'],
  ])('of a file that %s fails, and is retried from the start', async (_, misconduct, code) => {
    const rig = aRig(() => server.misconduct.push(...misconduct));
    await rig.ends('done');
    expect(rig.platform.states.filter(state => state.startsWith('failed'))).toEqual([`failed ${code}`]);
    expectNew(rig);
  });

  it('by the device’s own means that breaks off is retried', async () => {
    const rig = aRig(one => {
      const faults = [new TypeError('fetch failed')];
      one.more.download = async ({ component }) => {
        const fault = faults.pop();
        if (fault) throw fault;
        one.slots.set(component, files[component as keyof typeof files]);
      };
    });
    await rig.ends('done');
    expect(rig.platform.states).toContain('failed network');
    expectNew(rig);
  });

  it('of a file that always has different content is given up after three attempts', async () => {
    const rig = aRig(() => server.misconduct.push(...Array.from({ length: 9 }, () => misconducts.claims(5))));
    await expect
      .poll(() => JSON.parse(rig.text ?? '{}').refused)
      .toEqual({ sequence: 4, code: 'hash_mismatch' });
    rig.platform.tell(aTarget());
    expect(rig.platform.states.filter(state => state.startsWith('failed'))).toHaveLength(3);
    expect(rig.boot.runs).toBe('old');
  });

  it('is dropped when another target arrives', async () => {
    const rig = aRig(({ platform }) => {
      server.misconduct.push(misconducts.status(403));
      platform.onRead = () => {
        platform.target = aTarget({ sequence: 5, bundleId: 'bnd_2' });
      };
    });
    await rig.ends('done');
    expect(rig.platform.installed.at(-1)).toMatchObject({ sequence: 5 });
    expect(
      rig.platform.progress.filter(({ sequence, state }) => sequence === 4 && state !== 'accepted'),
    ).toEqual([expect.objectContaining({ state: 'downloading', percent: 0 })]);
  });
});

it('an installation is dropped if the target has changed by then', async () => {
  const rig = aRig(({ platform }) => {
    platform.onRead = () => {
      platform.target = null;
    };
  });
  await expect.poll(() => rig.platform.reads).toBe(1);
  await expect.poll(() => rig.updater.isRunning).toBe(false);
  expect(rig.done).not.toContain('install');
});

/** The outcome as the device stores it and the platform was told. */
function outcomeOf({ text, platform }: UpdateRig): string | undefined {
  const { installed, refused } = JSON.parse(text ?? '{}');
  const told = platform.installed.at(-1)?.sequence;
  if (refused) return platform.states.includes(`failed ${refused.code}`) ? refused.code : undefined;
  return installed?.sequence === 4 && told === 4 ? 'done' : undefined;
}

describe('a power cut', () => {
  /** All changes to persistent state that an undisturbed update makes. */
  const steps = async () => {
    const rig = aRig();
    await rig.ends('done');
    return rig.done;
  };

  it('at any point leaves a device that runs and reports either the new or the old version', async () => {
    const all = await steps();
    expect(all.length).toBeGreaterThan(12);
    const ends: Record<string, string> = {};
    for (const [index, name] of all.entries())
      for (const when of ['before', 'after'] as const) {
        const rig = aRig(one => {
          one.cut = { at: index + 1, when };
        });
        expect(await rig.ends(...ended)).toBe('off');
        rig.powerOn();
        const end = await until(() => outcomeOf(rig));
        ends[`${index + 1} ${when} ${name}`] = end;
        expect(rig.boot.runs).toBe(end === 'done' ? 'new' : 'old');
        if (end === 'done') expectNew(rig);
      }
    const rolledBack = Object.keys(ends).filter(point => ends[point] !== 'done');
    const isAtTrial = rolledBack.every(point => / (store trial|confirm)/.test(point));
    expect(isAtTrial ? 'only in the trial' : rolledBack).toBe('only in the trial');
    expect(rolledBack.length).toBeGreaterThan(1);
  });

  it('during a download costs 64 KiB at most', async () => {
    const all = await steps();
    const at = all.indexOf('store download 131072') + 1;
    const rig = aRig(one => {
      one.cut = { at, when: 'after' };
    });
    await rig.ends('done');
    rig.powerOn();
    await rig.ends('done');
    expect(server.asked).toEqual(['', 'bytes=131072-', '']);
  });
});

describe('a trial', () => {
  const neverAgain = async (rig: UpdateRig) => {
    const { length } = rig.platform.progress;
    rig.platform.tell(aTarget());
    rig.powerOn();
    await expect
      .poll(() => rig.platform.installed.at(-1)?.components)
      .toEqual([{ component: 'main', version: '1.0.0' }]);
    expect(rig.platform.progress).toHaveLength(length);
  };

  it.each([
    [
      'whose self-test fails',
      'self_test_failed',
      (rig: UpdateRig) => {
        rig.more.selfTest = () => false;
      },
    ],
    [
      'that never reaches the platform',
      'rolled_back',
      (rig: UpdateRig) => {
        rig.trialIsOver = true;
        rig.more.selfTest = () => {
          rig.platform.isAway = true;
          return true;
        };
        rig.more.revert = () => {
          rig.platform.isAway = false;
          rig.more = {};
          rig.powerOn();
          return new Promise(() => undefined);
        };
      },
    ],
    [
      'that the boot loader ends',
      'rolled_back',
      (rig: UpdateRig) => {
        rig.more.install = () => undefined;
      },
    ],
  ])('%s goes back to the old version, reports it, and is never repeated', async (_, code, prepare) => {
    const rig = aRig(prepare);
    await rig.ends(`failed ${code}`);
    expect(rig.platform.progress.at(-1)).toMatchObject({ sequence: 4, error: expect.stringContaining(' ') });
    expect(rig.boot.runs).toBe('old');
    await expect.poll(() => JSON.parse(rig.text ?? '{}').refused).toEqual({ sequence: 4, code });
    await neverAgain(rig);
  });
});

describe('a device', () => {
  it('without space, and one whose own parts fail, reports the reason', async () => {
    const small = aRig(rig => {
      rig.more.freeBytes = () => 100;
    });
    await small.ends('failed no_space');
    small.updater.stop();
    const broken = aRig(rig => {
      rig.more.install = () => {
        throw new UpdateFault('low_battery', 'The battery is at 12 %.');
      };
    });
    await broken.ends('failed low_battery');
    broken.updater.stop();
  });

  it('refuses a target for another class, and a downgrade', async () => {
    const other = aRig(rig => {
      rig.options.deviceClass = 'heater';
    });
    await other.ends('failed wrong_class');
    const older = aRig(rig => {
      const [main] = aTarget().components;
      const securityVersions = { main: 3 };
      rig.text = JSON.stringify({ installed: { components: [] }, securityVersions, sequence: 1 });
      if (main) rig.platform.target = aTarget({ components: [{ ...main, securityVersion: 2 }] });
    });
    await older.ends('failed downgrade_refused');
    expect(server.asked).toEqual([]);
  });

  it('waits for consent, declines and postpones as `mayUpdate` says', async () => {
    const answers = ['decline', { waitsFor: 'consent' }, { postponedUntil: new Date(0) }, 'yes'] as const;
    let asked = 0;
    const rig = aRig(one => {
      one.more.mayUpdate = () => answers[asked++] ?? 'yes';
    });
    await rig.ends('declined');
    rig.updater.proceed();
    await rig.ends('ready');
    expect(rig.platform.progress.at(-1)).toMatchObject({ waitsFor: 'consent' });
    rig.updater.proceed();
    await rig.ends('done');
    const postponed = rig.platform.progress.find(({ state }) => state === 'postponed');
    expect(postponed?.until).toBe('1970-01-01T00:00:00.000Z');
  });
});
