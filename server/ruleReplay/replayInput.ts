import type { ReplayRow, RuleReplay } from '#contract/ruleReplay.ts';
import type { RuleConfig } from '#server/moduleRules/ruleConfig.ts';

/** A rule as it is to be tried. */
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

/** What the thread says again and again. */
export type ReplayResult = Omit<RuleReplay, 'id' | 'state' | 'failure' | 'begin' | 'end' | 'ms'>;

export type { ReplayRow };
