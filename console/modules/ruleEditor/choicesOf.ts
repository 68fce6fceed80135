import { actionChoices } from './actionChoices.ts';
import type { Choices } from './Choice.ts';
import { startChoices, whoChoices } from './startChoices.ts';
import { leftChoices, opChoices, valueChoices } from './testChoices.ts';
import { actsChoices, everyChoices, forChoices } from './timeChoices.ts';
import type { RuleSentence } from './useRuleSentence.ts';

/** What can be chosen in a field of the sentence, by the field's name. */
export function choicesOf(slot: string, rule: RuleSentence): Choices {
  const [, kind = '', number] = /^([a-zA-Z]+?)(\d*)$/.exec(slot) ?? [];
  const at = Number(number);
  switch (kind) {
    case 'who':
      return whoChoices(rule);
    case 'left':
      return leftChoices(rule, at);
    case 'op':
      return opChoices(rule, at);
    case 'value':
      return valueChoices(rule, at);
    case 'for':
      return forChoices(rule);
    case 'every':
      return everyChoices(rule);
    case 'acts':
      return actsChoices(rule);
    case 'addAction':
      return actionChoices(rule);
    case 'action':
      return { prompt: 'Its fields', list: [] };
    default:
      return startChoices(rule);
  }
}
