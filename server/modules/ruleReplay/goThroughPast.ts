import { replayEventsMax } from '#contract/ruleReplay.ts';
import { statesAt } from '#server/devices/stateHistory/stateAt.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { fill, nameOf, wouldDo } from '#server/modules/actions/fillActions.ts';
import { dataFor } from '#server/modules/data/dataFor.ts';
import type { StoredEvent } from '#server/modules/events/eventSources.ts';
import type { Evaluated, Given, Job } from '#server/modules/expressions/given.ts';
import { compile } from '#server/modules/rules/compiled.ts';
import { partsOf } from '#server/modules/rules/explainRule.ts';
import type { EventDevice } from '#server/modules/smartModules/moduleType.ts';
import { PastDevice } from './pastDevice.ts';
import { countDevices, devicesAfter, eventsAfter, type PastPage } from './pastEvents.ts';
import { Findings } from './replayFindings.ts';
import type { ReplayedRule, ReplayInput, ReplayResult, ReplayRow } from './replayInput.ts';
import { type Hit, isAboutDevice, RuleTrial, type Trying } from './tryRule.ts';

const devicesAtOnce = 50;
/** A small number, because someone waits for the first result. */
const devicesFirst = 3;
const reportMs = 400;

interface Replaying extends Omit<ReplayInput, 'url'> {
  db: Db;
  evaluate: (job: Job) => Evaluated;
  report: (result: ReplayResult) => void;
}

/**
 * Replays the past device by device, because a rule depends on its state for each device. Reads events, evaluates
 * conditions and keeps states like a live rule.
 */
export async function replay(given: Replaying): Promise<ReplayResult> {
  const { db, projectId, begin, end, rule, saved, report } = given;
  const deviceClasses = classesFor(rule, saved);
  const findings = new Findings(begin, end, isAboutDevice(rule.config));
  const total = await countDevices(db, projectId, deviceClasses);
  const result = () =>
    findings.result(total, {
      hit: ({ hit, kind }) => detailOf(given, hit, kind),
      parts: values => partsOf(rule.config.condition, values, async jobs => jobs.map(given.evaluate)),
    });
  const trials = await trialsFor(given, findings);
  let reportedMs = Number.NEGATIVE_INFINITY;
  const reportSometimes = async () => {
    if (performance.now() - reportedMs < reportMs) return;
    report(await result());
    reportedMs = performance.now();
  };
  for (let after = '', limit = devicesFirst; ; limit = devicesAtOnce) {
    const devices = await devicesAfter(db, { projectId, deviceClasses, after, limit });
    if (devices.length === 0) break;
    await goThrough(given, devices, { findings, trials, reportSometimes });
    after = devices.at(-1)?.id ?? '';
    if (findings.events >= replayEventsMax) {
      findings.isCut = true;
      break;
    }
  }
  return result();
}

/** The classes of both versions; an empty list means all. */
function classesFor(rule: ReplayedRule, saved: ReplayedRule | undefined): readonly string[] {
  const all = [rule, ...(saved ? [saved] : [])].map(({ deviceClasses }) => deviceClasses);
  return all.some(classes => classes.length === 0) ? [] : [...new Set(all.flat())];
}

type Trials = (past: PastDevice) => { tried: RuleTrial; before: RuleTrial | undefined };

async function trialsFor({ db, evaluate, ...given }: Replaying, findings: Findings): Promise<Trials> {
  const { rule, saved, projectId, moduleId, end } = given;
  const dataOf = async ({ dataSourceModules }: ReplayedRule): Promise<Given['data']> => {
    const sources = await dataFor(db, projectId, dataSourceModules, end);
    return Object.fromEntries(Object.entries(sources).map(([label, { data }]) => [label, data]));
  };
  const trying: Trying = {
    evaluate,
    projectId,
    moduleId,
    data: await dataOf(rule),
    onError: findings.failed,
  };
  const asBefore: Trying = { ...trying, data: saved ? await dataOf(saved) : {}, onError: () => undefined };
  return past => ({
    tried: new RuleTrial(rule, past, trying),
    before: saved && new RuleTrial(saved, past, asBefore),
  });
}

async function goThrough(
  { db, projectId, begin, end, rule, saved }: Replaying,
  devices: readonly EventDevice[],
  {
    findings,
    trials,
    reportSometimes,
  }: { findings: Findings; trials: Trials; reportSometimes: () => Promise<void> },
): Promise<void> {
  const names = [rule, ...(saved ? [saved] : [])].flatMap(one =>
    one.subscribedEvents.map(n => n.toLowerCase()),
  );
  const ids = devices.map(({ id }) => id);
  const start = { ts: begin, seq: '0' };
  const asked = { projectId, end, names };
  const [states, pages] = [
    await statesAt(db, projectId, ids, begin),
    await eventsAfter(db, { ...asked, places: ids.map(deviceId => ({ deviceId, after: start })) }),
  ];
  const properties = [rule, ...(saved ? [saved] : [])].flatMap(({ config }) =>
    compile(config).used.figures.map(({ property }) => property),
  );
  for (const device of devices) {
    const past = new PastDevice(device, states.get(device.id) ?? {}, { begin, properties });
    const { tried, before } = trials(past);
    const hits: { tried: Hit[]; before: Hit[] } = { tried: [], before: [] };
    let page: PastPage | undefined = pages.get(device.id);
    past.presence(page?.events.find(({ name }) => name === '_connected_' || name === '_disconnected_'));
    while (page && findings.events < replayEventsMax) {
      for (const event of page.events) {
        oneEvent(event, past, [
          [tried, hits.tried],
          [before, hits.before],
        ]);
        findings.events++;
      }
      // Also in the middle of a device with very many events: a replay without a sign of life counts as stopped.
      await reportSometimes();
      const last: StoredEvent | undefined = page.events.at(-1);
      if (!page.isMore || !last) break;
      const places = [{ deviceId: device.id, after: last }];
      page = (await eventsAfter(db, { ...asked, places })).get(device.id);
    }
    take(hits.tried, tried.dueBefore(end, past));
    take(hits.before, before?.dueBefore(end, past));
    findings.add(device, hits.tried, hits.before);
    if (findings.isAboutDevice) findings.addHolding(device, tried.holdingAt(end, past));
    findings.devices++;
    await reportSometimes();
  }
}

function oneEvent(
  event: StoredEvent,
  past: PastDevice,
  versions: readonly (readonly [RuleTrial | undefined, Hit[]])[],
): void {
  for (const [trial, hits] of versions) take(hits, trial?.dueBefore(event.ts, past));
  past.take(event);
  for (const [trial, hits] of versions) take(hits, trial?.next(event, past));
}

function take(hits: Hit[], hit: Hit | undefined): void {
  if (hit) hits.push(hit);
}

/** The reasons for a hit, and what the rule would do; for a hit that is gone, according to the saved version. */
async function detailOf(
  { rule, saved, evaluate }: Replaying,
  { given }: Hit,
  kind: ReplayRow['kind'],
): Promise<Pick<ReplayRow, 'parts' | 'would'>> {
  const { config } = kind === 'gone' && saved ? saved : rule;
  const parts = await partsOf(config.condition, given, async jobs => jobs.map(evaluate));
  const would = config.actions.map(action => {
    try {
      const filled = fill(action, program => evaluate({ program, given }));
      return { action: nameOf(action), isOk: true, summary: wouldDo(filled) };
    } catch (error) {
      return { action: nameOf(action), isOk: false, summary: error instanceof Error ? error.message : '' };
    }
  });
  return { parts, would };
}
