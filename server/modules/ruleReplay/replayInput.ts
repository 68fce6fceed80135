import type { ReplayRow, RuleReplay } from '#contract/ruleReplay.ts';
import type { RuleConfig } from '#server/modules/rules/ruleConfig.ts';

/** The version of a rule that is tried. */
export interface ReplayedRule {
  config: RuleConfig;
  subscribedEvents: readonly string[];
  deviceClasses: readonly string[];
  dataSourceModules: readonly string[];
}

export interface ReplayInput {
  url: string;
  projectId: string;
  moduleId: string;
  begin: Date;
  end: Date;
  rule: ReplayedRule;
  saved: ReplayedRule | undefined;
}

/** The result that the process reports repeatedly. */
export type ReplayResult = Omit<RuleReplay, 'id' | 'state' | 'failure' | 'begin' | 'end' | 'ms'>;

export type ReplayMessage = { result: ReplayResult; isDone?: true } | { failure: string };

export type { ReplayRow };
