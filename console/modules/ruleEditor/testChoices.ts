import { rangeWithUnit } from '#console/devices/schema/schemaWords.ts';
import {
  alone,
  comparisons,
  fitsValue,
  methods,
  type Op,
  type Test,
} from '#console/modules/sentence/condition.ts';
import { namedAt, opWords, valueName } from '#console/modules/sentence/words.ts';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import type { RuleName } from '#contract/ruleReplay.ts';
import type { Choice, Choices } from './Choice.ts';
import { countText } from './countText.ts';
import type { RuleSentence } from './useRuleSentence.ts';

const numberOps: readonly Op[] = ['above', 'below', 'atLeast', 'atMost', 'is', 'isNot', 'there', 'missing'];
const textOps: readonly Op[] = ['is', 'isNot', ...(Object.keys(methods) as Op[]), 'there', 'missing'];
const allOps = [...Object.keys(comparisons), ...Object.keys(methods), ...alone] as Op[];

function opsFor(type: RuleName['type'] | undefined): readonly Op[] {
  if (type === 'number') return numberOps;
  if (type === 'text') return textOps;
  if (type === 'true or false') return alone;
  if (type === 'list' || type === 'object') return ['there', 'missing'];
  return allOps;
}

/** Times and durations are compared in code. */
const isCompared = ({ type, path }: RuleName) =>
  type !== 'time' && type !== 'duration' && path !== 'event.payload' && !path.startsWith('data.');

/** The values that can be compared: what devices report, what the event carries, and what is known of the device. */
export function leftChoices({ names, sentence, setTest }: RuleSentence, at: number): Choices {
  const { starts, tests } = sentence;
  const events = 'events' in starts ? starts.events.map(name => name.toLowerCase()) : [];
  const carried = names?.events.filter(({ name }) => events.includes(name.toLowerCase())) ?? [];
  const choice = (named: RuleName, group: string): Choice => ({
    id: named.path,
    label: valueName(named.path),
    note: [named.type, rangeWithUnit(named)].filter(Boolean).join(' · '),
    count: named.devices === undefined ? undefined : `${countText(named.devices)} report it`,
    group,
    take: () => setTest(at, testOf(named, tests[at])),
  });
  const values = [
    ...carried.flatMap(({ name, fields }) => fields.map(field => choice(field, `What ${name} carries`))),
    ...(names?.properties ?? []).filter(isCompared).map(named => choice(named, 'What they report')),
    ...(names?.variables ?? []).filter(isCompared).map(named => choice(named, 'What is known of them')),
  ];
  return {
    prompt: 'Which value?',
    list: [...values, ...removal(at, tests.length, () => setTest(at, undefined))],
  };
}

function removal(at: number, count: number, take: () => void): Choice[] {
  const label = count > 1 ? 'Remove this comparison' : 'Compare nothing';
  return [{ id: `remove ${at}`, label, group: 'Or', icon: CloseIcon, take }];
}

/** Keeps what still fits the new value. */
function testOf(named: RuleName, before: Test | undefined): Test {
  const ops = opsFor(named.type);
  const kept = before?.op !== undefined && ops.includes(before.op) ? before : undefined;
  const op = kept?.op ?? ops[0] ?? 'is';
  const isSame = before?.left === named.path;
  return {
    left: named.path,
    op,
    ...(isSame && before.value && fitsValue(op, before.value) && { value: before.value }),
  };
}

export function opChoices({ names, sentence, setTest }: RuleSentence, at: number): Choices {
  const { value, ...test } = sentence.tests[at] ?? {};
  const ops = opsFor(namedAt(names, test.left)?.type);
  return {
    prompt: `How is ${valueName(test.left ?? '')} compared?`,
    list: ops.map(op => ({
      id: op,
      label: opWords[op],
      group: 'It',
      take: () => setTest(at, { ...test, op, ...(value && fitsValue(op, value) && { value }) }),
    })),
  };
}

/** What a value can be compared with, as far as it is known; everything else is typed. */
export function valueChoices({ names, sentence, setTest }: RuleSentence, at: number): Choices {
  const test = sentence.tests[at] ?? {};
  const named = namedAt(names, test.left);
  const range = named && rangeWithUnit(named);
  const about = [valueName(test.left ?? ''), named?.type, range].filter(Boolean).join(' · ');
  return {
    prompt: about,
    list: (named?.choices ?? []).map(text => ({
      id: text,
      label: text,
      group: 'Its values',
      take: () => setTest(at, { ...test, value: { text } }),
    })),
    hint: named?.type === 'number' ? 'Type a number in the sentence.' : 'Type the value in the sentence.',
  };
}
