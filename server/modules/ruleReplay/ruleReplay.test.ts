import { describe, expect, it } from 'vitest';
import { type RuleReplay, readRuleNames, readRuleReplay, replayRule } from '#contract/ruleReplay.ts';
import { createSmartModule } from '#contract/smartModule.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { until } from '#test/until.ts';
import { unique } from '#test/world.ts';
import { runReplay } from './runReplay.ts';

const at = aGatewayWorld();

const actions = [{ kind: 'alert', text: 'It is {{ state.temperature }} °C' }];
const configOf = (condition: string, more = {}) => ({ condition, actions, ...more }) as never;

async function aPast(temperatures: readonly number[]) {
  const { id: deviceClass } = await at.deviceClass();
  const device = await at.device({ deviceClass });
  const here = await at.connect(device);
  for (const temperature of temperatures) {
    at.world.pass(minuteMs);
    await here.say('state', { temperature });
  }
  at.world.pass(minuteMs);
  await here[Symbol.asyncDispose]();
  return { device, deviceClass };
}

async function replayed(body: Omit<Parameters<typeof start>[0], never>): Promise<RuleReplay> {
  const { id } = await start(body);
  return until(async () => {
    const params = { projectId: at.projectId, replayId: id };
    const replay = await at.owner.client.call(readRuleReplay, { params });
    return replay.state === 'running' ? undefined : replay;
  });
}

const start = (body: { deviceClasses: string[]; configData: never; moduleId?: string }) =>
  at.owner.client.call(replayRule, {
    params: { projectId: at.projectId },
    body: { subscribedEvents: ['_state_'], hours: 1, ...body },
  });

describe('a replay', () => {
  it('shows what a rule would have done, compared with the saved version', async () => {
    const { device, deviceClass } = await aPast([29, 31, 33, 20, 32, 20]);
    const moduleId = unique('rule');
    await at.owner.client.call(createSmartModule, {
      params: { projectId: at.projectId },
      body: {
        id: moduleId,
        moduleType: 'rule',
        subscribedEvents: ['_state_'],
        deviceClasses: [deviceClass],
        configData: configOf('state.temperature > 32'),
      },
    });
    const replay = await replayed({
      moduleId,
      deviceClasses: [deviceClass],
      configData: configOf('state.temperature > 30'),
    });
    expect(replay).toMatchObject({
      state: 'done',
      devices: 1,
      hits: { same: 0, new: 2, gone: 1 },
      errors: 0,
    });
    expect(
      replay.rows.map(({ kind, device: of, parts, would }) => [
        kind,
        of.id,
        parts[0]?.value,
        would[0]?.summary,
      ]),
    ).toEqual([
      ['new', device.id, '32', 'Would raise “It is 32 °C”'],
      ['gone', device.id, '33', 'Would raise “It is 33 °C”'],
      ['new', device.id, '31', 'Would raise “It is 31 °C”'],
    ]);
    expect(replay.hours.reduce((sum, hour) => sum + hour.new, 0)).toBe(2);
  });

  it('begins with the condition, before its actions are complete, and says for which devices it holds', async () => {
    const { device, deviceClass } = await aPast([29, 31, 20, 33]);
    for (const actions of [[], [{ kind: 'alert', text: '' }], [{ kind: 'alert', text: '{{ state.nix' }]]) {
      const configData = configOf('state.temperature > 30', { actions });
      const replay = await replayed({ deviceClasses: [deviceClass], configData });
      expect(replay).toMatchObject({ hits: { new: 2 }, hitDevices: 1, holding: { devices: 1 } });
      expect(replay.rows.map(({ would }) => would)).toEqual([[], []]);
      expect(replay.holding?.some).toEqual([
        {
          device: expect.objectContaining({ id: device.id }) as object,
          parts: [{ isOk: true, what: 'state.temperature > 30', value: '33' }],
        },
      ]);
    }
    const aboutEvent = await replayed({
      deviceClasses: [deviceClass],
      configData: configOf('event.payload.temperature > 30'),
    });
    expect(aboutEvent).not.toHaveProperty('holding');
  });

  it('supports waiting times and means of past values', async () => {
    const { deviceClass } = await aPast([31, 32, 29, 33, 34, 35, 36]);
    const held = await replayed({
      deviceClasses: [deviceClass],
      configData: configOf('state.temperature > 30', { forS: 150 }),
    });
    expect(held.rows.map(({ would }) => would[0]?.summary)).toEqual(['Would raise “It is 35 °C”']);
    const mean = await replayed({
      deviceClasses: [deviceClass],
      configData: configOf('mean(state.temperature, 2) > 34'),
    });
    expect(mean.rows).toHaveLength(1);
    expect(Number(mean.rows[0]?.parts[0]?.value)).toBeCloseTo(34.5, 1);
  });

  it('counts the events whose evaluation is stopped by its budget', async () => {
    const { id: deviceClass } = await at.deviceClass();
    const device = await at.device({ deviceClass });
    await using here = await at.connect(device);
    await here.say('state', { text: 'a'.repeat(9_000) });
    const replay = await replayed({
      deviceClasses: [deviceClass],
      configData: configOf('state.text.split("").join(state.text).size() > 1'),
    });
    expect(replay).toMatchObject({ state: 'done', errors: 1 });
  });

  it('fails alone if its process ends', async () => {
    const program = new URL('../../../test/endingReplay.ts', import.meta.url);
    const now = new Date();
    const rule = { config: {}, subscribedEvents: [], deviceClasses: [], dataSourceModules: [] } as never;
    const input = { url: '', projectId: '', moduleId: '', begin: now, end: now, rule, saved: undefined };
    const signal = new AbortController().signal;
    await expect(runReplay(input, { report: () => undefined, signal, program })).rejects.toThrow(
      'It could not be finished: it needs more memory than a replay may use.',
    );
  });

  it('refuses an invalid rule', async () => {
    const { id: deviceClass } = await at.deviceClass();
    await expect(start({ deviceClasses: [deviceClass], configData: configOf('1 +') })).rejects.toMatchObject({
      reason: 'INVALID_MODULE_CONFIG',
    });
  });
});

it('a third concurrent replay is refused, and an unknown one is not found', async () => {
  const { id: projectId } = await at.world.aProject(at.owner);
  const now = at.world.now();
  await at.world.platform.db.run(sql`
    insert into rule_replays (project_id, id, created_at, alive_at, result)
    select ${projectId}, 'rpl_' || n, ${now}, ${now}, '{}' from generate_series(1, 2) n`);
  const body = { subscribedEvents: ['_state_'], configData: configOf('true') };
  await expect(at.owner.client.call(replayRule, { params: { projectId }, body })).rejects.toMatchObject({
    reason: 'TOO_MANY_REPLAYS',
  });
  await expect(
    at.owner.client.call(readRuleReplay, { params: { projectId, replayId: 'rpl_none' } }),
  ).rejects.toMatchObject({ reason: 'REPLAY_NOT_FOUND' });
});

it('a replay ends the one before it in the same series, and counts only once', async () => {
  const { id: projectId } = await at.world.aProject(at.owner);
  const params = { projectId };
  const body = { subscribedEvents: ['_state_'], configData: configOf('true'), series: 'editor-1' };
  const begun: string[] = [];
  for (let n = 0; n < 4; n++) begun.push((await at.owner.client.call(replayRule, { params, body })).id);
  const newest = begun.pop() ?? '';
  await until(async () => {
    const replay = await at.owner.client.call(readRuleReplay, { params: { projectId, replayId: newest } });
    return replay.state === 'done' || undefined;
  });
});

it('names for completion have types, ranges, and the number of devices that report them', async () => {
  const stateSchema = {
    type: 'object',
    properties: {
      temperature: { type: 'number', minimum: -40, maximum: 85, unit: '°C' },
      speed: { enum: ['slow', 'fast'] },
    },
  };
  const eventSchemas = { pressed: { type: 'object', properties: { times: { type: 'integer' } } } };
  const { id: deviceClass } = await at.deviceClass({ stateSchema, eventSchemas });
  const device = await at.device({ deviceClass });
  await using here = await at.connect(device);
  await here.say('state', { temperature: 21, mode: 'eco' });
  for (const times of [1, 2]) await here.say('events/pressed', { times });
  await here.say('events/opened', {});
  // Events are counted a little later.
  const names = await until(async () => {
    const read = await at.owner.client.call(readRuleNames, {
      params: { projectId: at.projectId },
      query: { deviceClasses: deviceClass },
    });
    return read.events.some(({ name, count }) => name === 'opened' && count === 1) ? read : undefined;
  });
  expect(names.properties).toEqual([
    { path: 'state.mode', type: 'text', share: 1, devices: 1 },
    {
      path: 'state.temperature',
      type: 'number',
      share: 1,
      devices: 1,
      unit: '°C',
      minimum: -40,
      maximum: 85,
    },
    { path: 'state.speed', type: 'text', choices: ['slow', 'fast'] },
  ]);
  expect(names.sampled).toBe(1);
  expect(names.classes).toContainEqual({ id: deviceClass, devices: 1 });
  expect(names.events.slice(0, 2)).toEqual([
    { name: 'pressed', count: 2, fields: [{ path: 'event.payload.times', type: 'number' }] },
    { name: 'opened', count: 1, fields: [] },
  ]);
});
