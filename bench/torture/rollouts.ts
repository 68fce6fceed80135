import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createChannel, editChannel } from '#contract/channel.ts';
import type { Client } from '#contract/client.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { createProject, type Project } from '#contract/project.ts';
import { actOnRollout, createRollout, type Rollout, readRollout } from '#contract/rollout.ts';
import { type Newcomer, newcomer, password } from '#test/newcomer.ts';
import { Fleet } from '../../simulators/fleet/fleet.ts';
import { FleetUpdates } from '../../simulators/fleet/fleetUpdates.ts';
import { identitiesAt } from '../../simulators/fleet/identities.ts';
import { readOptions } from '../../simulators/fleet/options.ts';
import { signIn } from '../../simulators/fleet/signIn.ts';
import { report } from '../report.ts';
import { aBundleOf, deviceClass } from '../rollouts/aBundleOf.ts';
import { aPlatformInParts, type PlatformInParts } from '../rollouts/platformInParts.ts';
import { rolloutOnScreen } from '../rollouts/rolloutOnScreen.ts';

const devicesDefault = 1_000;
const failing = { failPercent: 5, failCode: 'boot_failed' };
const healthy = { failPercent: 0, failCode: 'boot_failed' };
const plain = { offlinePercent: 0, download: 'whole', count: 1 } as const;
const awayEvery = 5;
const killEveryMs = 6_000;
const noteMaxMs = 120_000;
const phaseMaxMs = 20 * 60_000;
const settings = { rate: null, soakS: 0, failurePercent: 2, start: true };
const steps = [5, 25, 100].map(percent => ({ percent, startsBy: 'itself' as const }));

interface World {
  platform: PlatformInParts;
  who: Newcomer;
  client: Client;
  project: Project;
  channelId: string;
  fleet: Fleet;
  updates: FleetUpdates;
  /** The folder for screenshots; undefined: none are taken. */
  pictures: string | undefined;
}

/**
 * `devices [folder for pictures]`: one rollout that must pause itself, and one that must finish regardless of what is
 * killed.
 */
export async function run([count = String(devicesDefault), pictures]: string[]): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-torture-'));
  const platform = await aPlatformInParts(dataDir);
  const world = await aWorld(platform, Number(count), pictures);
  try {
    const rows = [await firstVersion(world), await badVersion(world), ...(await goodVersion(world))];
    report({
      title: 'Rollouts: what the screen shows and what the devices did',
      command: `npm run torture -- rollouts ${count}`,
      head: ['rollout', 'ended', 'after', 'on the screen', 'by the devices', 'kills', 'as expected'],
      rows: rows.map(({ name, ended, took, screen, devices, kills, isRight }) => [
        name,
        ended,
        took,
        screen,
        devices,
        kills,
        isRight ? 'yes' : 'NO',
      ]),
      notes: [
        `${count} simulated devices, steps of 5, 25 and 100 %, failures allowed: 2 %, no soak, all gates on.`,
        'API, gateway and worker are separate processes. “By the devices” is what each device recorded itself.',
      ],
    });
    return rows.every(({ isRight }) => isRight);
  } finally {
    world.fleet.end();
    await platform.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function aWorld(
  platform: PlatformInParts,
  count: number,
  pictures: string | undefined,
): Promise<World> {
  const who = await newcomer(platform.url, 'torture@example.com');
  const { client } = who;
  const project = await client.call(createProject, { body: { name: 'Torture' } });
  const { id: projectId } = project;
  await client.call(createDeviceClass, { params: { projectId }, body: { id: deviceClass } });
  const { id: channelId } = await client.call(createChannel, { body: { projectId, deviceClass } });
  const args = ['--url', platform.url, '--email', who.email, '--password', password];
  const desk = await signIn(readOptions(args, {}));
  if (!desk) throw new Error('Nobody is signed in.');
  const identities = await identitiesAt(desk, { projectId, deviceClass }, count);
  const fleet = new Fleet({ url: platform.deviceUrl, run: randomBytes(6).toString('hex') });
  await fleet.start(identities, 200, new AbortController().signal);
  await soon(async () => fleet.connected === count);
  const updates = new FleetUpdates(fleet.members, { ...plain, ...healthy });
  return { platform, who, client, project, channelId, fleet, updates, pictures };
}

interface Row {
  name: string;
  ended: string;
  took: string;
  screen: string;
  devices: string;
  kills: string;
  isRight: boolean;
}

/** The initial version of all devices, assigned by pointing the channel at it. */
async function firstVersion({ client, project, channelId, fleet, updates }: World): Promise<Row> {
  const bundle = await aBundleOf(client, project.id, '1.0');
  const beganMs = performance.now();
  await client.call(editChannel, { params: { channelId }, body: { bundleId: bundle.id } });
  const count = fleet.members.length;
  await soon(async () => updates.endsOf(bundle.id).updated === count);
  const devices = updates.endsOf(bundle.id);
  return {
    name: 'none, the channel alone',
    ended: 'all run it',
    took: since(beganMs),
    screen: '–',
    ...rowOf(devices),
  };
}

const rowOf = (devices: Record<string, number>) => ({ devices: text(devices), kills: '0', isRight: true });

/** One in twenty devices fails: the rollout must pause itself, and both sides must have counted the same. */
async function badVersion(world: World): Promise<Row> {
  const { client } = world;
  world.updates = new FleetUpdates(world.fleet.members, { ...plain, ...failing }, world.updates);
  const beganMs = performance.now();
  const made = await startRollout(world, '2.0');
  const paused = await when(client, made, ({ state }) => state === 'paused');
  const took = since(beganMs);
  const { counts } = await when(client, made, ({ counts }) => counts.active === 0);
  // A device records its result once the platform has acknowledged it, a moment later.
  await soon(async () => sum(world.updates.endsOf(made.bundle.id)) === counts.admitted, noteMaxMs).catch(
    () => undefined,
  );
  const { updated = 0, boot_failed: failed = 0 } = world.updates.endsOf(made.bundle.id);
  const screen = await onScreen(world, made, 'paused');
  await client.call(actOnRollout, { params: { rolloutId: made.id }, body: { action: 'stop' } });
  return {
    name: '5 % fail',
    ended: `${paused.state} by ${paused.pausedBy}: ${paused.pauseCause}`,
    took,
    screen: text(screen),
    devices: text({ updated, failed }),
    kills: '0',
    isRight: paused.pausedBy === 'failures' && screen.updated === updated && screen.failed === failed,
  };
}

/**
 * One in five devices is offline, and every process is killed during the rollout: it must finish, and devices that
 * return must update.
 */
async function goodVersion(world: World): Promise<Row[]> {
  const { client, fleet } = world;
  world.updates = new FleetUpdates(fleet.members, { ...plain, ...healthy }, world.updates);
  const away = fleet.members.filter((_, at) => at % awayEvery === 0);
  for (const { device } of away) device.disconnect();
  const beganMs = performance.now();
  const made = await startRollout(world, '3.0');
  const state = { isOver: false };
  const killing = killOnTheWay(world.platform, state);
  const finished = await when(client, made, one => one.state !== 'running');
  const took = since(beganMs);
  state.isOver = true;
  const kills = text(await killing);
  const there = fleet.members.length - away.length;
  await soon(async () => world.updates.endsOf(made.bundle.id).updated === there);
  await when(client, made, ({ counts }) => counts.active === 0);
  const first = await onScreen(world, made, 'finished');
  const name = '20 % away';
  const row = {
    name,
    ended: finished.state,
    took,
    kills,
    screen: text(first),
    devices: text(world.updates.endsOf(made.bundle.id)),
    isRight:
      finished.state === 'finished' &&
      first.updated === there &&
      !first.failed &&
      first.waiting === away.length,
  };
  const returnedMs = performance.now();
  for (const { device } of away) device.connect();
  await soon(async () => world.updates.endsOf(made.bundle.id).updated === fleet.members.length);
  await when(client, made, ({ counts }) => counts.updated === fleet.members.length);
  const last = await onScreen(world, made, 'returned');
  const returned = {
    name: `${name}, and return`,
    ended: 'all run it',
    took: since(returnedMs),
    screen: text(last),
    devices: text(world.updates.endsOf(made.bundle.id)),
    kills: '0',
    isRight: last.updated === fleet.members.length && !last.failed,
  };
  return [row, returned];
}

async function startRollout({ client, project, channelId }: World, version: string): Promise<Rollout> {
  const bundle = await aBundleOf(client, project.id, version);
  return client.call(createRollout, { body: { channelId, bundleId: bundle.id, steps, ...settings } });
}

function onScreen({ platform, who, pictures }: World, rollout: Rollout, name: string) {
  return rolloutOnScreen(platform.url, who, rollout, pictures && join(pictures, `rollout-${name}.png`));
}

/** Kills the processes in turn until the rollout is over, each at least once. */
async function killOnTheWay(platform: PlatformInParts, state: { isOver: boolean }) {
  const kills = { gateway: 0, worker: 0, PostgreSQL: 0 };
  const victims = ['gateway', 'PostgreSQL', 'worker'] as const;
  for (let round = 0; !state.isOver; round++) {
    await wait(killEveryMs);
    if (state.isOver) break;
    const victim = victims[round % victims.length] ?? 'worker';
    if (victim === 'PostgreSQL') platform.killPostgres();
    else await platform.kill(victim);
    kills[victim] += 1;
  }
  return kills;
}

/** Resolves with the rollout once the condition holds. While PostgreSQL restarts, it cannot be read. */
async function when(client: Client, { id: rolloutId }: Rollout, isSo: (one: Rollout) => boolean) {
  let last: Rollout | undefined;
  await soon(async () => {
    last = await client.call(readRollout, { params: { rolloutId } }).catch(() => undefined);
    if (last) say(last);
    return last !== undefined && isSo(last);
  });
  if (!last) throw new Error('The rollout was not read.');
  return last;
}

let said = '';
/** Prints a line for each change. */
function say({ bundle, state, step, counts }: Rollout): void {
  const line = `${bundle.name} ${state}, step ${step + 1}: ${text(counts)}`;
  if (line !== said) console.log(line);
  said = line;
}

async function soon(isSo: () => Promise<boolean>, maxMs = phaseMaxMs): Promise<void> {
  const end = performance.now() + maxMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('It did not come to that in time.');
    await wait(250);
  }
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, one) => total + one, 0);
const since = (beganMs: number) => `${((performance.now() - beganMs) / 1000).toFixed(0)} s`;
const text = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([word, count]) => `${count} ${word}`)
    .join(', ');
