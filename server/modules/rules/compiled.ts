import type { ASTNode } from '@marcbachmann/cel-js';
import { endsWithCondition, templatesOf } from '#server/modules/actions/fillActions.ts';
import { boundedUse, type Used } from '#server/modules/expressions/bounds.ts';
import { cannotHold, type Seen } from '#server/modules/expressions/cannotHold.ts';
import { createLanguage } from '#server/modules/expressions/language.ts';
import { readTemplate } from '#server/modules/expressions/textTemplates.ts';
import type { RuleConfig } from './ruleConfig.ts';

/** Properties of a rule, parsed from its condition once. */
export interface Compiled {
  used: Used;
  /** True if it acts for each event rather than on changes of a value. */
  isEach: boolean;
  /** True if its state for each device matters. */
  remembers: boolean;
  resolves: boolean;
  /** Returns true if the condition cannot hold for this input, false if it must be evaluated. */
  cannotHold: (seen: Seen) => boolean;
  /** A different condition has a different key, and starts with a new state. */
  key: string;
}

const language = createLanguage(() => undefined);
const known = new Map<string, Compiled>();
const knownMax = 2000;
/** By configuration object, because the same one is compiled for each event. */
const compiled = new WeakMap<RuleConfig, Compiled>();

export function compile(config: RuleConfig): Compiled {
  const known = compiled.get(config);
  if (known) return known;
  const made = compileAnew(config);
  compiled.set(config, made);
  return made;
}

function compileAnew(config: RuleConfig): Compiled {
  const resolves = config.actions.some(endsWithCondition);
  const key = JSON.stringify([config.condition, config.forS, config.acts, resolves]);
  const found = known.get(key) ?? read(config, resolves, key);
  known.delete(key);
  known.set(key, found);
  if (known.size > knownMax) known.delete(known.keys().next().value ?? '');
  return found;
}

function read({ condition, forS, acts }: RuleConfig, resolves: boolean, key: string): Compiled {
  const ast = parsed(condition);
  const used = ast ? boundedUse(ast).used : usedNothing();
  const isAboutValues = ['state', 'device', 'data', 'event.payload'].some(name => used.names.has(name));
  const isEach = acts === 'each' || (!isAboutValues && forS === 0);
  const remembers = !isEach || forS > 0 || resolves;
  return { used, isEach, remembers, resolves, key, cannotHold: ast ? cannotHold(ast) : () => false };
}

/** Undefined if the condition cannot be parsed; its evaluation then returns the error. */
function parsed(expression: string): ASTNode | undefined {
  try {
    return language.parse(expression).ast;
  } catch {
    return undefined;
  }
}

const usedNothing = (): Used => ({ nodes: 0, names: new Set(), figures: [] });

/**
 * True if a rule that was held back acts once the interval is over and its condition still holds: no further event would
 * make it act. Alerts that end with the condition are never held back.
 */
export const actsLater = (config: RuleConfig): boolean =>
  !compile(config).isEach && !config.actions.every(endsWithCondition);

/** The historical values that a rule uses, in its condition and in its actions. */
export function figuresOf(config: RuleConfig): Used['figures'] {
  const { used } = compile(config);
  const inActions = config.actions.flatMap(templatesOf).flatMap(({ text }) => {
    const template = readTemplate(text);
    return 'fault' in template
      ? []
      : template.places.flatMap(({ source }) => {
          const ast = parsed(source);
          return ast ? boundedUse(ast).used.figures : [];
        });
  });
  return [...used.figures, ...inActions];
}
