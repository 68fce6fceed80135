import { z } from 'zod';
import type { ConfigFault } from '#contract/moduleConfig.ts';
import { Problem } from '#contract/problem.ts';
import {
  type RuleReplay,
  type readRuleReplay,
  replayHoursMax,
  replayMinutes,
  type replayRule,
  replaysMax,
} from '#contract/ruleReplay.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { Action, actionsMax } from '#server/modules/actions/actions.ts';
import { checkConfig } from '#server/modules/management/checkConfig.ts';
import { RuleConfig } from '#server/modules/rules/ruleConfig.ts';
import type { Checking, ModuleType } from '#server/modules/smartModules/moduleType.ts';
import { findModule, openModule } from '#server/modules/smartModules/store.ts';
import { typeOf } from '#server/modules/types/moduleTypes.ts';
import type { ReplayedRule, ReplayInput, ReplayResult } from './replayInput.ts';
import { ReplayFailed, runReplay } from './runReplay.ts';

/** A process that has not reported progress on a replay for this long has ended. */
const silentMs = 15_000;

export const keptSince = (now: Date) => new Date(now.getTime() - replayMinutes * minuteMs);

type Json = Record<string, unknown>;
type Input = Omit<ReplayInput, 'url'>;

/** Checked before the transaction, like a configuration that is being saved. */
export async function checkReplay(call: Call<typeof replayRule>): Promise<Input> {
  const { body, db, platform, params, now } = call;
  const { projectId } = params;
  const { moduleId, configData, subscribedEvents, deviceClasses = [], dataSourceModules = [], hours } = body;
  const listening = { subscribedEvents, deviceClasses, dataSourceModules };
  const row = moduleId === undefined ? undefined : await findModule(db, projectId, moduleId);
  const config = await checkedConfig(configData, { db, platform, projectId, moduleId, ...listening });
  return {
    projectId,
    moduleId: moduleId ?? '',
    begin: new Date(now.getTime() - (hours ?? replayHoursMax) * hourMs),
    end: now,
    rule: { ...listening, config },
    saved: row?.moduleType === 'rule' ? savedRule(openModule(platform, row)) : undefined,
  };
}

/** A rule whose condition is replayed while its actions are being chosen. */
const WithAnyActions = RuleConfig.extend({ actions: z.array(Action).max(actionsMax) });

/** Actions that are missing or have errors are left out: what the condition does is of interest before them. */
async function checkedConfig(configData: Json, checking: Checking): Promise<RuleConfig> {
  const type: ModuleType = { ...typeOf('rule'), config: WithAnyActions };
  const check = async (given: Json) =>
    WithAnyActions.parse((await checkConfig(type, given, { ...checking, before: undefined })).whole);
  try {
    return await check(configData);
  } catch (error) {
    const actions = soundActions(error, configData);
    if (!actions) throw error;
    return check({ ...configData, actions });
  }
}

/** The actions without errors; undefined if something else than an action has one. */
function soundActions(error: unknown, { actions }: Json): unknown[] | undefined {
  if (!(error instanceof Problem) || error.reason !== 'INVALID_MODULE_CONFIG') return undefined;
  const { faults } = error.context as { faults: ConfigFault[] };
  if (!faults.every(({ pointer }) => /^\/actions(\/|$)/.test(pointer))) return undefined;
  const unsound = new Set(faults.map(({ pointer }) => pointer.split('/')[2]));
  return Array.isArray(actions) ? actions.filter((_, at) => !unsound.has(String(at))) : [];
}

function savedRule(module: ReturnType<typeof openModule>): ReplayedRule {
  const { subscribedEvents, deviceClasses, dataSourceModules, config } = module;
  return { subscribedEvents, deviceClasses, dataSourceModules, config: RuleConfig.parse(config) };
}

export async function beginReplay(call: Call<typeof replayRule>, input: Input): Promise<RuleReplay> {
  const { db, platform, now } = call;
  const { projectId, begin, end } = input;
  const { series = '' } = call.body;
  // Counted one at a time, so that a third replay is refused.
  await db.run(sql`select 1 from projects where id = ${projectId} for no key update`);
  if (series !== '')
    await db.run(sql`
      delete from rule_replays where project_id = ${projectId} and series = ${series} and is_running`);
  const running = await db.many(sql`
    select 1 from rule_replays where project_id = ${projectId} and is_running
      and alive_at > ${new Date(now.getTime() - silentMs)}`);
  if (running.length >= replaysMax) throw new Problem('TOO_MANY_REPLAYS');
  const counts = { same: 0, new: 0, gone: 0 };
  const replay: RuleReplay = {
    id: platform.newId('rpl'),
    state: 'running',
    begin: begin.toISOString(),
    end: end.toISOString(),
    events: 0,
    devices: 0,
    devicesTotal: 0,
    isCut: false,
    hits: counts,
    held: 0,
    hitDevices: 0,
    errors: 0,
    hours: [],
    rows: [],
    ms: 0,
  };
  await db.run(sql`
    insert into rule_replays (project_id, id, series, created_at, alive_at, result)
    values (${projectId}, ${replay.id}, ${series}, ${now}, ${now}, ${JSON.stringify(replay)})`);
  call.afterCommit(() => void work(platform, replay, input));
  return replay;
}

/** Runs in the background: callers read the stored result. */
async function work(platform: Platform, replay: RuleReplay, input: Input): Promise<void> {
  const { db, log } = platform;
  const begunMs = performance.now();
  const { connectionString: url = '' } = db.pool.options;
  const stopped = new AbortController();
  let storing = Promise.resolve();
  const store = (next: RuleReplay) => {
    const ms = Math.round(performance.now() - begunMs);
    storing = storing
      .then(() => storeResult(platform, input.projectId, { ...next, ms }))
      // The replay is aborted if a newer one of its series has begun, or if the database is unavailable: then either
      // the server is stopping too, or another replay can be started once the database is back.
      .catch(() => stopped.abort());
    return storing;
  };
  try {
    const report = (result: ReplayResult) => void store({ ...replay, ...result });
    const result = await runReplay({ ...input, url }, { report, signal: stopped.signal });
    await store({ ...replay, ...result, state: 'done' });
  } catch (error) {
    const failure = error instanceof ReplayFailed ? error.message : 'It could not be finished.';
    if (!(error instanceof ReplayFailed)) log('warn', 'A replay failed', { error: String(error) });
    await store({ ...replay, state: 'failed', failure });
  }
}

async function storeResult({ db, clock }: Platform, projectId: string, replay: RuleReplay): Promise<void> {
  const stored = await db.one(sql`
    update rule_replays set is_running = ${replay.state === 'running'}, alive_at = ${clock()},
      result = ${JSON.stringify(replay)}
    where project_id = ${projectId} and id = ${replay.id} returning 1`);
  if (!stored) throw new Error('A newer replay has taken its place.');
}

interface Row {
  result: RuleReplay;
  isRunning: boolean;
  aliveAt: Date;
}

export async function readReplay({ db, params, now }: Call<typeof readRuleReplay>): Promise<RuleReplay> {
  const row = await findReplay(db, params, now);
  if (!row) throw new Problem('REPLAY_NOT_FOUND');
  const isSilent = row.isRunning && row.aliveAt.getTime() < now.getTime() - silentMs;
  return isSilent ? { ...row.result, state: 'failed', failure: 'The server was stopped.' } : row.result;
}

function findReplay(
  db: Db,
  { projectId, replayId }: { projectId: string; replayId: string },
  now: Date,
): Promise<Row | undefined> {
  return db.one<Row>(sql`
    select result, is_running as "isRunning", alive_at as "aliveAt" from rule_replays
    where project_id = ${projectId} and id = ${replayId} and created_at > ${keptSince(now)}`);
}
