import { isObject, type Json } from '#console/modules/config/configSchema.ts';
import { namedAt } from '#console/modules/sentence/words.ts';
import type { RuleNames } from '#contract/ruleReplay.ts';

const alertWords: Readonly<Record<string, string>> = {
  info: 'raise a notice',
  warning: 'raise a warning',
  critical: 'raise a critical alert',
};

const recipientWords: Readonly<Record<string, string>> = {
  team: 'the team',
  owner: 'the owner of the home',
  admins: 'the admins of the home',
  members: 'the members of the home',
};

/** What an action does, as the end of a sentence: "set target to 8 °C". */
export function actionWords(action: unknown, names: RuleNames | undefined): string {
  if (!isObject(action)) return 'do something';
  switch (action.kind) {
    case 'command':
      return action.name ? `send ${String(action.name)}` : 'send a command';
    case 'desired':
      return desiredWords(action.patch, names);
    case 'alert':
      return alertWords[String(action.severity ?? 'warning')] ?? 'raise an alert';
    case 'email':
      return `e-mail ${recipients(action)}`;
    case 'webhook':
      return `call ${hostOf(action.url)}`;
    default:
      return 'do something';
  }
}

function desiredWords(patch: unknown, names: RuleNames | undefined): string {
  const entries = isObject(patch) ? Object.entries(patch) : [];
  const [only] = entries;
  if (!only || entries.length > 1 || isObject(only[1])) return 'set the desired state';
  const unit = typeof only[1] === 'number' ? namedAt(names, `state.${only[0]}`)?.unit : undefined;
  return [`set ${only[0]} to`, String(only[1]), unit].filter(Boolean).join(' ');
}

function recipients({ to, addresses }: Json): string {
  if (to !== 'addresses') return recipientWords[String(to ?? 'team')] ?? 'the team';
  const [first, ...more] = Array.isArray(addresses) ? addresses.map(String) : [];
  if (first === undefined) return 'team members';
  return more.length > 0 ? `${first} and ${more.length} more` : first;
}

function hostOf(url: unknown): string {
  return (typeof url === 'string' && URL.canParse(url) && new URL(url).host) || 'a webhook';
}
