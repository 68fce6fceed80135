import type { RuleName, RuleNames } from '#contract/ruleReplay.ts';
import { withArticle } from '#rules/text/nounText.ts';
import { numberText } from '#rules/text/numberText.ts';
import { dayS, hourS } from '#rules/time/durations.ts';
import type { Op, Test, Value } from './condition.ts';
import type { Sentence, Start } from './sentence.ts';

const eventWords: Readonly<Record<string, string>> = {
  _state_: 'reports state',
  _desired_: 'gets a desired value',
  _connected_: 'connects',
  _disconnected_: 'disconnects',
  _alert_: 'raises an alert',
  _command_: 'ends a command',
  _added_: 'is added to a home',
  _removed_: 'is removed from its home',
  '*': 'sends anything',
};

export const whoWords = (classes: readonly string[]): string =>
  classes.length === 0 ? 'any device' : classes.map(withArticle).join(' or ');

/** "reports state", "sends motion", "goes offline" */
export function startWords(starts: Start): string {
  if ('presence' in starts) return starts.presence === 'online' ? 'comes online' : 'goes offline';
  return starts.events.map(name => eventWords[name] ?? `sends ${name}`).join(' or ');
}

const leftWords: Readonly<Record<string, string>> = {
  'event.name': 'event name',
  'device.id': 'device id',
  'device.tag': 'device tag',
  'device.name': 'device name',
  'device.class': 'device class',
  'device.home': 'home id',
  'device.connected': 'connected',
};

/** The name of a value without its holder: `state.temperature` is the temperature. */
export const valueName = (left: string): string =>
  leftWords[left] ?? left.replace(/^(state|event\.payload)\.?/, '').replace(/^\["(.*)"\]$/, '$1');

export const opWords: Readonly<Record<Op, string>> = {
  is: 'is',
  isNot: 'is not',
  below: 'is below',
  atMost: 'is at most',
  above: 'is above',
  atLeast: 'is at least',
  true: 'is true',
  false: 'is false',
  there: 'is reported',
  missing: 'is not reported',
  contains: 'contains',
  begins: 'begins with',
  ends: 'ends with',
};

export function namedAt(names: RuleNames | undefined, left: string | undefined): RuleName | undefined {
  if (!names || left === undefined) return undefined;
  const all = [...names.properties, ...names.variables, ...names.events.flatMap(({ fields }) => fields)];
  return all.find(({ path }) => path === left);
}

export const literalWords = (value: Value): string =>
  'number' in value ? value.number : 'text' in value ? `“${value.text}”` : String(value.bool);

/** "temperature is below 6.0 °C" */
function testWords({ left, op, value }: Test, names: RuleNames | undefined): string {
  if (left === undefined || op === undefined) return 'a value to compare';
  const unit = value && 'number' in value ? namedAt(names, left)?.unit : undefined;
  const parts = [valueName(left), opWords[op], value && literalWords(value), unit];
  return parts.filter(Boolean).join(' ');
}

/** "5 min", "1 h", "1 d" */
export function shortDuration(seconds: number): string {
  if (seconds > 0 && seconds % dayS === 0) return `${numberText(seconds / dayS)} d`;
  if (seconds > 0 && seconds % hourS === 0) return `${numberText(seconds / hourS)} h`;
  return seconds % 60 === 0 ? `${numberText(seconds / 60)} min` : `${numberText(seconds)} s`;
}

/** The whole sentence, as it is read out before a rule gets its name. */
export function sentenceText(
  { classes, starts, join, tests }: Sentence,
  { names, forS, actions }: { names: RuleNames | undefined; forS: number; actions: readonly string[] },
): string {
  const tested = tests.map(test => testWords(test, names)).join(` ${join} `);
  const when = `When ${whoWords(classes)} ${startWords(starts)}${tested && ` and ${tested}`}`;
  return `${when}${forS > 0 ? ` for ${shortDuration(forS)}` : ''}, then ${actions.join(' and ')}.`;
}
