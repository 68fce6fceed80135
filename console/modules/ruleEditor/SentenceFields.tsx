import { type ReactNode, useRef } from 'react';
import {
  isOfTexts,
  isOrder,
  type Test,
  takesValue,
  type Value,
} from '#console/modules/sentence/condition.ts';
import {
  literalWords,
  namedAt,
  opWords,
  shortDuration,
  startWords,
  valueName,
  whoWords,
} from '#console/modules/sentence/words.ts';
import type { RuleName } from '#contract/ruleReplay.ts';
import { actionWords } from './actionWords.ts';
import { countText } from './countText.ts';
import css from './ruleEditor.module.css';
import { Slot } from './Slot.tsx';
import { actsWords } from './timeChoices.ts';
import type { Choosing } from './useChoosing.ts';
import type { RuleSentence } from './useRuleSentence.ts';
import { ValueSlot } from './ValueSlot.tsx';

interface FieldsProps {
  rule: RuleSentence;
  choosing: Choosing;
}

/** The rule as a sentence whose parts are chosen. */
export function SentenceFields({ rule, choosing }: FieldsProps) {
  const { sentence, names, forS } = rule;
  const { classes, starts, tests, join } = sentence;
  const hasStart = !('events' in starts) || starts.events.length > 0;
  const devices = names?.classes.filter(({ id }) => classes.length === 0 || classes.includes(id));
  const count = devices?.reduce((sum, one) => sum + one.devices, 0);
  return (
    <div className={css.sentence}>
      <Line word="When">
        <Slot
          id="who"
          choosing={choosing}
          label={`Devices: ${whoWords(classes)}`}
          count={count === undefined ? undefined : countText(count, 'device')}
        >
          {whoWords(classes)}
        </Slot>
        <Slot
          id="start"
          choosing={choosing}
          label={`Start: ${hasStart ? startWords(starts) : 'not chosen'}`}
          isOpen={!hasStart}
        >
          {hasStart ? startWords(starts) : 'does what?'}
        </Slot>
      </Line>
      {tests.map((test, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: comparisons are identified by position
        <Line key={at} word={at === 0 ? 'and' : join}>
          <TestFields {...{ rule, choosing, test, at }} />
          {at === tests.length - 1 && test.left !== undefined && <MoreTests rule={rule} />}
        </Line>
      ))}
      {tests.length === 0 && (
        <Line word="and">
          <AddTest rule={rule} join="and" label="compare a value" />
        </Line>
      )}
      <Line word="for">
        <Slot id="for" choosing={choosing} label={`For: ${shortDuration(forS)}`}>
          {shortDuration(forS)}
        </Slot>
        {forS === 0 && <span className={css.aside}>at once, with the first report that fits</span>}
      </Line>
      <Line word="then">
        <ActionFields rule={rule} choosing={choosing} />
      </Line>
    </div>
  );
}

function Line({ word, children }: { word: string; children: ReactNode }) {
  return (
    <div className={css.line}>
      <b>{word}</b>
      <div>{children}</div>
    </div>
  );
}

function TestFields({ rule, choosing, test, at }: FieldsProps & { test: Test; at: number }) {
  const { left, op } = test;
  const named = namedAt(rule.names, left);
  return (
    <>
      <Slot
        id={`left${at}`}
        choosing={choosing}
        label={`Value ${at + 1}: ${left === undefined ? 'not chosen' : valueName(left)}`}
        isOpen={left === undefined}
      >
        {left === undefined ? 'which value?' : valueName(left)}
      </Slot>
      {op && (
        <Slot id={`op${at}`} choosing={choosing} label={`Comparison ${at + 1}: ${opWords[op]}`}>
          {opWords[op]}
        </Slot>
      )}
      {op && takesValue(op) && (
        <TestValue {...{ rule, choosing, test, at }} unit={named?.unit} type={named?.type} />
      )}
    </>
  );
}

type TestValueProps = FieldsProps & {
  test: Test;
  at: number;
  unit: string | undefined;
  type: RuleName['type'] | undefined;
};

/** Typed, unless the class names all its values. */
function TestValue({ rule, choosing, test, at, unit, type }: TestValueProps) {
  const id = `value${at}`;
  const label = `Compared with ${at + 1}`;
  const set = (value: Value | undefined) => {
    const { value: _, ...rest } = test;
    rule.setTest(at, { ...rest, ...(value && { value }) });
  };
  const { value } = test;
  const kind = useKind(test, type);
  const isChosen = value && 'bool' in value;
  if (isChosen || namedAt(rule.names, test.left)?.choices)
    return (
      <Slot
        id={id}
        choosing={choosing}
        label={`${label}: ${value ? literalWords(value) : 'not chosen'}`}
        isOpen={value === undefined}
      >
        {value ? literalWords(value).replace(/^“|”$/g, '') : 'which?'}
      </Slot>
    );
  return <ValueSlot {...{ id, choosing, label, value, unit, kind }} onChange={set} />;
}

/**
 * What is typed is a number or a text. If nobody knows the type of the value, it is what it was before the field was
 * emptied: otherwise a number that is typed anew would become a text.
 */
function useKind({ op, value }: Test, type: RuleName['type'] | undefined): 'number' | 'text' {
  const before = useRef<'number' | 'text'>(undefined);
  const written = value && 'number' in value ? 'number' : value && 'text' in value ? 'text' : before.current;
  before.current = written;
  if (op && isOfTexts(op)) return 'text';
  if (type === 'number') return 'number';
  return written ?? (type !== 'text' && op && isOrder(op) ? 'number' : 'text');
}

function MoreTests({ rule }: Pick<FieldsProps, 'rule'>) {
  const { tests, join } = rule.sentence;
  const isOne = tests.length === 1;
  return (
    <span className={css.adding}>
      {(isOne || join === 'and') && <AddTest rule={rule} join="and" label="and" />}
      {((isOne && !('presence' in rule.sentence.starts)) || (!isOne && join === 'or')) && (
        <AddTest rule={rule} join="or" label="or" />
      )}
    </span>
  );
}

/** Adds an empty comparison, whose value is then chosen. */
function AddTest({ rule, join, label }: { rule: RuleSentence; join: 'and' | 'or'; label: string }) {
  const { tests } = rule.sentence;
  return (
    <button
      type="button"
      className={css.slot}
      data-adds
      onClick={event => {
        rule.say({ join, tests: [...tests, {}] });
        focusSlot(event.currentTarget, `left${tests.length}`);
      }}
    >
      + {label}
    </button>
  );
}

/** Once it is there. */
function focusSlot(from: HTMLElement, slot: string): void {
  const root = from.closest('[data-sentence]');
  requestAnimationFrame(() => root?.querySelector<HTMLElement>(`[data-slot="${slot}"]`)?.focus());
}

function ActionFields({ rule, choosing }: FieldsProps) {
  const { actions, names, unfit } = rule;
  return (
    <>
      {actions.map((action, at) => {
        const words = actionWords(action, names);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: actions are identified by position
          <span key={at} className={css.joined}>
            {at > 0 && <span>and</span>}
            <Slot
              id={`action${at}`}
              choosing={choosing}
              label={`Action ${at + 1}: ${words}`}
              isOpen={unfit.has(at)}
            >
              {words}
            </Slot>
          </span>
        );
      })}
      <Slot
        id="addAction"
        choosing={choosing}
        label={actions.length === 0 ? 'Action: not chosen' : 'Add an action'}
        isOpen={actions.length === 0}
        adds
      >
        {actions.length === 0 ? 'what does it do?' : 'and then'}
      </Slot>
    </>
  );
}

/** How often it acts, below the sentence. */
export function Pace({ rule, choosing, children }: FieldsProps & { children: ReactNode }) {
  const acts = rule.acts === 'each' ? 'each' : 'change';
  return (
    <div className={css.pace}>
      <span>Acts</span>
      <Slot id="acts" choosing={choosing} label={`Acts: ${actsWords[acts]}`}>
        {actsWords[acts]}
      </Slot>
      <span>and again at the earliest after</span>
      <Slot id="every" choosing={choosing} label={`Again after: ${shortDuration(rule.everyS)}`}>
        {shortDuration(rule.everyS)}
      </Slot>
      {children}
    </div>
  );
}
