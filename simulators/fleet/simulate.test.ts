import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listDevices } from '#contract/device.ts';
import { editProject } from '#contract/project.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { compiled } from '#test/serverProcess.ts';
import { until } from '#test/until.ts';
import { unique } from '#test/world.ts';
import { checkEvents, checkPresence } from './checks.ts';
import { Member } from './member.ts';
import { type Options, readOptions, UsageFault } from './options.ts';
import { type ScenarioName, scenarios } from './scenarios.ts';
import { signIn } from './signIn.ts';
import { simulate } from './simulate.ts';

const at = aGatewayWorld();
const dir = mkdtempSync(join(tmpdir(), 'mooring-fleet-'));
afterAll(() => rmSync(dir, { recursive: true }));

const silent = { say: () => undefined, watch: () => undefined };

function options(more: string[] = []): Options {
  const { email, password } = at.owner;
  const given = [
    '--url',
    at.world.url,
    '--email',
    email,
    '--project',
    at.projectId,
    '--class',
    unique('fleet'),
  ];
  return readOptions([...given, '--devices', '12', '--seconds', '2', '--every', '0.5', ...more], {
    SIMULATE_PASSWORD: password,
  });
}

const outcomes = async (given: Options) =>
  (await simulate(given, silent, new AbortController().signal)).map(({ check, ok }) => [check, ok]);

describe('a fleet', () => {
  it.each(Object.keys(scenarios) as ScenarioName[])(
    'that runs the scenario %s passes all checks',
    async scenario => {
      expect(await outcomes(options(['--scenario', scenario]))).toEqual([
        ['connected', true],
        ['events acknowledged', true],
        ['events stored', true],
        ['state reported', true],
        ['commands answered', true],
        ['presence', true],
        ...(scenario === 'update' ? [['updates', undefined]] : []),
        ...('strangersPercent' in scenarios[scenario] ? [['strangers refused', true]] : []),
      ]);
    },
  );

  it('reuses the devices it created, even if the project does not store their keys', async () => {
    const { call } = at.owner.client;
    const { id: projectId } = await at.world.aProject(at.owner);
    const given = options(['--seconds', '1', '--devices', '3', '--project', projectId]);
    await outcomes(given);
    const params = { projectId };
    await call(editProject, { params, body: { forgetDeviceKeys: true } });
    const again = await outcomes({ ...given, devices: 4 });
    expect(again.every(([, ok]) => ok)).toBe(true);
    const query = { projectId, deviceClass: given.deviceClass, sortBy: 'tag:asc' } as const;
    const { items } = await call(listDevices, { query });
    expect(items.map(({ tag }) => tag)).toEqual(['sim-0001', 'sim-0002', 'sim-0003', 'sim-0004']);
  });

  it('says why the platform rejected its messages', async () => {
    const { id } = await at.deviceClass({ stateSchema: { properties: { temperature: { maximum: 10 } } } });
    const given = options(['--devices', '3', '--seconds', '1', '--class', id]);
    const verdicts = await simulate(given, silent, new AbortController().signal);
    expect(verdicts.find(({ check }) => check === 'messages accepted')).toMatchObject({
      ok: false,
      figures: expect.stringMatching(/rejected: \d+ on state SCHEMA_BROKEN temperature must be at most 10\./),
    });
  });

  it('fails if an acknowledged event is missing', async () => {
    const { member, desk } = await aMember();
    await member.speak();
    const began = new Date();
    expect(await checkEvents(desk, [member], 'run', began)).toMatchObject({ ok: true });
    member.kept.push(999);
    expect(await checkEvents(desk, [member], 'run', began)).toMatchObject({
      ok: false,
      figures: expect.stringContaining('1 of 2'),
    });
    member.device.close();
  });

  it('fails if the platform shows a different state or status', async () => {
    const { member, identity, desk } = await aMember();
    const { deviceClass } = await at.read(identity);
    const place = { projectId: at.projectId, deviceClass };
    const once = { count: 1, everyMs: 0 };
    expect(await checkPresence(desk, place, [member], once)).toMatchObject({ ok: true });
    const twin = new Member(identity, { url: at.world.url, run: 'run' });
    await until(() => twin.isConnected || undefined);
    member.device.close();
    expect(await checkPresence(desk, place, [member], once)).toMatchObject({ ok: false });
    twin.device.close();
  });
});

async function aMember() {
  const identity = await at.device();
  const member = new Member(identity, { url: at.world.url, run: 'run' });
  await until(() => member.isConnected || undefined);
  const desk = await signIn(options());
  if (!desk) throw new Error('Nobody signed in.');
  return { identity, member, desk };
}

describe('the command', () => {
  function run(args: string[]) {
    const program = join(import.meta.dirname, 'main.ts');
    const env = { ...process.env, ...compiled };
    const child = spawn(process.execPath, [program, '--url', at.world.url, ...args], { env });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (said += text));
    const ended = once(child, 'exit').then(([code]) => ({ code, said }));
    return { child, ended };
  }

  function aFile(identities: { id: string; apiKey: string }[]): string {
    const path = join(dir, `${unique('devices')}.json`);
    writeFileSync(path, JSON.stringify(identities));
    return path;
  }

  it('exits with 1 and reports the failed check', async () => {
    const [right, wrong] = [await at.device(), await at.device()];
    const file = aFile([right, { id: wrong.id, apiKey: 'x'.repeat(32) }]);
    const { code, said } = await run(['--file', file, '--seconds', '1', '--within', '2']).ended;
    expect(said).toMatch(/connected +FAILED +1 of 2 after 2 s; others: WRONG_KEY/);
    expect(code).toBe(1);
  });

  it('disconnects its devices when it is interrupted', async () => {
    const device = await at.device();
    const { child, ended } = run(['--file', aFile([device]), '--seconds', '600']);
    await at.untilIs(device, 'connected');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect((await at.untilIs(device, 'disconnected')).connection.reason).toBe('CLOSED');
  });

  it('exits with 2 if its arguments are not valid', async () => {
    expect(await run(['--scenario', 'quiet']).ended).toMatchObject({
      code: 2,
      said: expect.stringContaining('The scenario "quiet" does not exist.'),
    });
    expect(() => readOptions(['--file', 'a', '--devices', 'many'], {})).toThrow(UsageFault);
    expect(() => readOptions(['--email', 'a@example.com'], {})).toThrow('password');
    expect(() => readOptions(['--nonsense'], {})).toThrow(UsageFault);
    expect(() => readOptions(['--file', 'a', '--class', 'a class!'], {})).toThrow('--class must be letters');
    expect(() => readOptions(['--file', 'a', '--url', 'localhost:8080'], {})).toThrow('such as http://');
    expect(() => readOptions(['--file', 'a', '--devices', '2.5'], {})).toThrow('a whole number from 1');
    const given = readOptions(['--file', join(dir, 'none.json')], {});
    await expect(simulate(given, silent, new AbortController().signal)).rejects.toThrow(
      'does not exist. Pass',
    );
    writeFileSync(join(dir, 'devices.csv'), 'id,tag');
    const csv = readOptions(['--file', join(dir, 'devices.csv')], {});
    await expect(simulate(csv, silent, new AbortController().signal)).rejects.toThrow('is not JSON. Export');
  });

  it('reports the URL if nothing answers there', async () => {
    const args = ['--url', 'http://127.0.0.1:1', '--email', 'a@example.com', '--password', 'x'];
    expect(await run(args).ended).toEqual({
      code: 2,
      said: 'Nothing answers at http://127.0.0.1:1. Check that Mooring is running, and that --url is its address.\n',
    });
  });
});
