import type { Json } from '#console/modules/config/configSchema.ts';
import { useRuleNames } from '#console/modules/controls/useRuleNames.ts';
import type { ModuleForm } from '#console/modules/form/ModuleForm.ts';
import type { ModuleConfigForm } from '#console/modules/form/useConfigForm.ts';
import type { Test } from '#console/modules/sentence/condition.ts';
import { missingIn } from '#console/modules/sentence/missing.ts';
import { readSentence, type Sentence, writeSentence } from '#console/modules/sentence/sentence.ts';
import type { RuleNames } from '#contract/ruleReplay.ts';

/** A rule as its sentence, and the ways to change it. */
export interface RuleSentence {
  sentence: Sentence;
  names: RuleNames | undefined;
  forS: number;
  everyS: number;
  acts: string;
  actions: readonly unknown[];
  /** The numbers of the actions that are not complete. */
  unfit: ReadonlySet<number>;
  say: (change: Partial<Sentence>) => void;
  setTest: (at: number, test: Test | undefined) => void;
  setActions: (actions: readonly unknown[]) => void;
  setConfig: (name: 'forS' | 'everyS' | 'acts', value: unknown) => void;
}

/** Undefined `rule`: no sentence can say it, for the `reason`. */
export function useRuleSentence(projectId: string, form: ModuleForm, { config, faults }: ModuleConfigForm) {
  const { values } = form;
  const { names } = useRuleNames(projectId, values.deviceClasses);
  const read = readSentence(values);
  if ('reason' in read) return { reason: read.reason, names };
  const { configData } = values;
  const say = (change: Partial<Sentence>) => {
    const { subscribedEvents, deviceClasses, condition } = writeSentence({ ...read, ...change });
    form.set('subscribedEvents', subscribedEvents);
    form.set('deviceClasses', deviceClasses);
    config.set(['condition'], condition);
    config.touch(['condition']);
  };
  const actions = Array.isArray(configData.actions) ? (configData.actions as unknown[]) : [];
  const rule: RuleSentence = {
    sentence: read,
    names,
    ...numbersOf(configData),
    actions,
    unfit: unfitActions(faults, config.faultsAt, actions.length),
    say,
    setTest: (at, test) =>
      say({ tests: test ? read.tests.toSpliced(at, 1, test) : read.tests.toSpliced(at, 1) }),
    setActions: next => config.set(['actions'], next),
    setConfig: (name, value) => config.set([name], value),
  };
  return { rule, names };
}

const numbersOf = ({ forS, everyS, acts }: Json) => ({
  forS: typeof forS === 'number' ? forS : 0,
  everyS: typeof everyS === 'number' ? everyS : 1,
  acts: acts === 'each' ? 'each' : 'change',
});

function unfitActions(
  faults: ModuleConfigForm['faults'],
  faultsAt: ModuleConfigForm['config']['faultsAt'],
  count: number,
): ReadonlySet<number> {
  const known = faults.flatMap(({ pointer }) => /^\/actions\/(\d+)/.exec(pointer)?.[1] ?? []).map(Number);
  const shown = Array.from({ length: count }, (_, at) => at).filter(
    at => faultsAt(['actions', at], true).length > 0,
  );
  return new Set([...known, ...shown].filter(at => at < count));
}

/** What is asked for next. */
export const missingPart = ({ sentence, actions, unfit }: RuleSentence) =>
  missingIn(sentence, { count: actions.length, unfit });
