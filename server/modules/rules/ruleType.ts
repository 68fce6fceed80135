import { moduleType } from '#server/modules/smartModules/moduleType.ts';
import { checkRule, checkRuleParts } from './checkRule.ts';
import { chooseEvents } from './chooseEvents.ts';
import { compile } from './compiled.ts';
import { explainRule } from './explainRule.ts';
import { RuleConfig } from './ruleConfig.ts';
import { holdingFor, takeElapsed } from './ruleStates.ts';
import { runRule, testRule } from './runRule.ts';
import { startOver } from './startOver.ts';

/** A condition on events and state, with actions that are carried out when it becomes true. */
export const ruleType = moduleType<RuleConfig>({
  id: 'rule',
  name: 'Rule',
  summary:
    'Acts when a condition is true: sends a command or an e-mail, sets the desired state, raises an alert or calls a webhook.',
  dataSourceModuleTypes: ['fetch', 'table'],
  takesEvents: true,
  isDataSource: false,
  config: RuleConfig,
  check: checkRule,
  checkParts: checkRuleParts,
  choose: chooseEvents,
  ignores: (config, event) => compile(config).cannotHold({ event }),
  remembering: holdingFor,
  elapsed: takeElapsed,
  attemptsAfterS: [0, 5, 60, 600],
  run: runRule,
  explain: explainRule,
  test: testRule,
  changed: startOver,
});
