import { useMemo, useRef } from 'react';
import { useRead } from '#console/core/api.ts';
import { rangeWithUnit } from '#console/devices/schema/schemaWords.ts';
import type { CodeWord } from '#console/ui/form/CodeField.tsx';
import { type RuleName, type RuleNames, readRuleNames } from '#contract/ruleReplay.ts';

/** The names available in a condition about these classes, with type, range and how many devices report them. */
export function useRuleNames(projectId: string, deviceClasses: readonly string[]) {
  const query = deviceClasses.length > 0 ? { deviceClasses: deviceClasses.join(',') } : {};
  const read = useRead(readRuleNames, { params: { projectId }, query });
  const last = useRef(read.data);
  last.current = read.data ?? last.current;
  // The names of the classes before stay until the next are known, so that typing goes on.
  const data = last.current;
  const words = useMemo(() => (data ? wordsOf(data) : []), [data]);
  return {
    names: data,
    words,
    /** Numeric properties of the state. */
    numbers: data?.properties.flatMap(numberName) ?? [],
    commands: data?.commands ?? [],
    isKnown: !read.isPending,
  };
}

const numberName = ({ path, type }: RuleName) =>
  type === 'number' && path.startsWith('state.') ? [path.slice('state.'.length)] : [];

function wordsOf({ properties, variables, events, functions }: RuleNames): CodeWord[] {
  const fields = new Map(events.flatMap(event => event.fields).map(field => [field.path, field]));
  return [
    ...[...properties, ...fields.values(), ...variables].map(name => ({
      word: name.path,
      kind: 'variable' as const,
      description: aboutName(name),
    })),
    ...functions.map(({ usage, summary }) => ({
      word: usage,
      kind: 'function' as const,
      description: summary,
    })),
  ];
}

/** "number · 5 to 30 °C · 98 % report it" */
function aboutName({ type, share, summary, choices, ...range }: RuleName): string {
  const bounds = rangeWithUnit({ ...range, ...(choices && { enum: choices }) });
  const reported = share === undefined ? undefined : `${Math.round(share * 100)} % report it`;
  return [type, bounds, summary, reported].filter(Boolean).join(' · ');
}
