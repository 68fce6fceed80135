import { publishLive } from '#server/api/http/live.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { inert } from '#server/mail/sending/names.ts';
import { evaluator } from '#server/modules/evaluator/evaluator.ts';
import type { Answered, Evaluated, Job } from '#server/modules/expressions/given.ts';
import { mailTeam } from '#server/modules/smartModules/notifyTeam.ts';
import { earnStrike, isOnTrial, onTrial } from './onTrial.ts';
import { addStrike, explainStrike, keyOf, type ModuleKey, type Rest, restsOf } from './store.ts';

/** An expression of a module. */
export interface ModuleJob extends Job {
  /** The id of the project. */
  of: string;
  module: string;
}

const moduleOf = ({ of: projectId, module: id }: ModuleJob): ModuleKey => ({ projectId, id });

interface Using<Result> {
  evaluate(
    jobs: readonly ModuleJob[],
    stopped: (job: Job, because: string) => Promise<void>,
  ): Promise<Result[]>;
}

/**
 * Evaluates expressions of modules. A module whose expression hangs or ends the evaluator rests: that is stored before
 * anything else is evaluated, and its team is told. Until the rest is over, each of its expressions is an error; for a
 * day after, it is on trial.
 */
export async function evaluateFor(
  platform: Platform,
  jobs: readonly ModuleJob[],
  { using = evaluator }: { using?: Using<Evaluated> } = {},
): Promise<Evaluated[]> {
  const { refusalOf, doubted } = await restingOf(platform, jobs);
  const asked = jobs.filter(job => !refusalOf(job));
  const evaluated = await onTrial(platform, doubted, () =>
    using.evaluate(asked, (job, because) => strike(platform, moduleOf(job as ModuleJob), because)),
  );
  const results = evaluated.values();
  return jobs.map(job => refusalOf(job) ?? results.next().value ?? { error: 'It was not evaluated.' });
}

/** The same for conditions that others wait for: what may take long is late, and so is what would be on trial. */
export async function evaluatePromptly(platform: Platform, jobs: readonly ModuleJob[]): Promise<Answered[]> {
  const { refusalOf, doubted } = await restingOf(platform, jobs);
  const lateModules = new Set(doubted.filter(module => !isOnTrial(module)).map(keyOf));
  const isLate = (job: ModuleJob) => lateModules.has(keyOf(moduleOf(job)));
  const asked = jobs.filter(job => !refusalOf(job) && !isLate(job));
  const answers = (await evaluator.conditions.evaluate(asked)).values();
  return jobs.map(
    job => refusalOf(job) ?? (isLate(job) ? undefined : answers.next().value) ?? { late: true },
  );
}

/** Which modules rest, and which of the others have rested within a day. */
async function restingOf({ db, clock }: Platform, jobs: readonly ModuleJob[]) {
  const modules = [...new Map(jobs.map(job => [keyOf(moduleOf(job)), moduleOf(job)])).values()];
  const now = clock();
  const rests = await restsOf(db, modules, now);
  const restOf = (module: ModuleKey) => {
    const rest = rests.get(keyOf(module));
    return rest && rest.until > now && !isOnTrial(module) ? rest : undefined;
  };
  const refusalOf = (job: ModuleJob): { error: string } | undefined => {
    const rest = restOf(moduleOf(job));
    return rest && { error: `It rests until ${utc(rest.until)}. ${rest.because}` };
  };
  return { refusalOf, doubted: modules.filter(module => rests.has(keyOf(module)) && !restOf(module)) };
}

const utc = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Stored with a connection of its own: the transaction of the caller may be rolled back. */
async function strike(platform: Platform, module: ModuleKey, because: string): Promise<void> {
  const { db, clock, log } = platform;
  log('warn', 'An expression of a smart module had to be stopped', { ...module, because });
  await db.tx(async db => {
    const rest = isOnTrial(module)
      ? await explainStrike(db, module, because)
      : await addStrike(db, module, { because, now: clock() });
    if (rest && toldAt.has(rest.strikes)) await mailRest(db, platform, rest);
  });
  earnStrike(module);
  const path = `/projects/${module.projectId}/smartModules/${module.id}`;
  publishLive(platform, module.projectId, { kind: 'changed', path });
}

/** The strikes of which the team gets an e-mail: those that make the rest longer. */
const toldAt = new Set([1, 2, 3]);

function mailRest(
  db: Db,
  platform: Platform,
  { projectId, id, strikes, until, because }: Rest,
): Promise<void> {
  return mailTeam(db, platform, { projectId, id }, project => ({
    subject: `Smart module ${inert(id)} rests`,
    before: [
      `An expression of the smart module ${inert(id)} of the project ${project} was stopped, so the platform lets it rest. Its events fail until then.`,
      'Change the expression, and it runs again at once. If it is stopped again within a day, it rests for longer.',
    ],
    facts: [
      ['What happened', inert(because)],
      ['Rests until', utc(until)],
      ['Times within a day', String(strikes)],
    ],
  }));
}
