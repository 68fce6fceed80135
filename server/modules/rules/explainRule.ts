import type { ASTNode } from '@marcbachmann/cel-js';
import { sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { childrenOf, isMacro, textOf } from '#server/modules/expressions/astNodes.ts';
import type { Evaluated, Given, Job } from '#server/modules/expressions/given.ts';
import { createLanguage, pathOf } from '#server/modules/expressions/language.ts';
import { inWords } from '#server/modules/expressions/textTemplates.ts';
import { evaluateFor } from '#server/modules/rests/evaluateFor.ts';
import type { Chosen } from '#server/modules/smartModules/moduleType.ts';
import { compile } from './compiled.ts';
import { givenFor } from './givenFor.ts';
import type { RuleConfig } from './ruleConfig.ts';

/** A part of a condition, with its values. */
export interface Part {
  isOk: boolean;
  what: string;
  value?: string;
}

const language = createLanguage(() => undefined);
const partsMax = 20;
const valuesMax = 4;

/** Explains why a rule would act for an event or not: the parts of its condition with their values. */
export async function explainRule(chosen: Chosen<RuleConfig>, platform: Platform) {
  const { db, clock } = platform;
  const { module, event } = chosen;
  const { condition } = module.config;
  const rule = compile(module.config);
  const [given] = await givenFor(db, [{ ...chosen, figures: rule.used.figures }], clock());
  if (!given) throw new Error('There is nothing to explain.');
  const evaluate = (jobs: readonly Job[]) =>
    evaluateFor(
      platform,
      jobs.map(job => ({ ...job, of: module.projectId, module: module.id })),
    );
  const [whole] = await evaluate([{ program: condition, given }]);
  const steps = await partsOf(condition, given, evaluate);
  const holds = whole !== undefined && 'value' in whole && whole.value === true;
  if (whole && 'error' in whole) steps.push({ isOk: false, what: 'The condition', value: whole.error });
  if (!rule.remembers || (whole && 'error' in whole)) return { hit: holds, steps, saw: sawOf(given) };
  // Whether the condition became true or ended with this event can be told only from the resulting run.
  const acted = await db.one(sql`
    select 1 from module_runs
    where project_id = ${module.projectId} and module_id = ${module.id} and event_id = ${event.id} and not is_test`);
  if (holds && !acted) steps.push(notAgain(module.config));
  if (!holds && acted) steps.push({ isOk: true, what: 'It was true before and ended with this event' });
  return { hit: holds && acted !== undefined, steps, saw: sawOf(given) };
}

function notAgain({ forS }: RuleConfig): Part {
  return forS > 0
    ? {
        isOk: false,
        what: `True for ${forS} s`,
        value: 'The rule acts once that time has passed, not on this event',
      }
    : {
        isOk: false,
        what: 'Became true with this event',
        value: 'It was true before, or the rule was not running',
      };
}

/** The terms between `&&` and `||`, each with the values of its names. */
export async function partsOf(
  condition: string,
  given: Given,
  evaluate: (jobs: Job[]) => Promise<Evaluated[]>,
): Promise<Part[]> {
  let terms: ASTNode[];
  try {
    terms = termsOf(language.parse(condition).ast).slice(0, partsMax);
  } catch {
    return [];
  }
  const asked = terms.map(term => ({
    term,
    leaves: [...new Set(leavesOf(term).map(textOf))].slice(0, valuesMax),
  }));
  const programs = asked.flatMap(({ term, leaves }) => [textOf(term), ...leaves]);
  const results = (await evaluate(programs.map(program => ({ program, given })))).values();
  const next = () => results.next().value ?? { error: 'It was not evaluated.' };
  return asked.map(({ term, leaves }) => {
    const result = next();
    const values = leaves.map(leaf => ({ leaf, value: wordsOf(next()) }));
    const isOk = 'value' in result && result.value === true;
    if (values.length === 0 && !('error' in result)) return { isOk, what: textOf(term) };
    const [only] = values;
    const value =
      values.length === 1 && only
        ? only.value
        : values.map(({ leaf, value }) => `${leaf} ${value}`).join(', ');
    return { isOk, what: textOf(term), value: 'error' in result ? result.error : value };
  });
}

const termsOf = (node: ASTNode): ASTNode[] =>
  node.op === '&&' || node.op === '||' ? node.args.flatMap(termsOf) : [node];

/** Nodes that have a value: a path of names, or a function call on such paths. */
function leavesOf(node: ASTNode): ASTNode[] {
  if (node.op === 'value') return [];
  if (pathOf(node) || node.op === '[]') return [node];
  if (isMacro(node)) return childrenOf(node).slice(0, 1).flatMap(leavesOf);
  if (node.op === 'call' && ['mean', 'min', 'max'].includes(node.args[0])) return [node];
  if (node.op === 'call' && node.args[0] === 'has') return [];
  return childrenOf(node).flatMap(leavesOf);
}

const shownMax = 200;

function wordsOf(result: Evaluated): string {
  if ('error' in result) return 'failed';
  if ('missing' in result) return 'not there';
  const words = typeof result.value === 'string' ? `"${result.value}"` : inWords(result.value);
  return words.length <= shownMax ? words : `${words.slice(0, shownMax - 1)}…`;
}

const sawOf = ({ event, device, state, data, figures }: Given) =>
  JSON.parse(JSON.stringify({ event, device, state, ...notEmpty({ data, figures }) }));

const notEmpty = (given: Record<string, object>) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => Object.keys(value).length > 0));
