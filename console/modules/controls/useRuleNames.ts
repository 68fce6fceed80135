import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useRead } from '#console/core/api.ts';
import { readOptions } from '#console/core/client.ts';
import { propertiesOf } from '#console/devices/schema/schemaProperties.ts';
import { rangeWithUnit, typeText } from '#console/devices/schema/schemaWords.ts';
import type { CodeWord } from '#console/ui/form/CodeField.tsx';
import { type DeviceClass, listDeviceClasses, readDeviceClass } from '#contract/deviceClass.ts';
import { type ReportedProperties, readReportedProperties } from '#contract/deviceState.ts';
import { ruleWords } from './ruleWords.ts';

/** The reported properties are read for at most this many classes. */
const classesMax = 5;

/** The names available in a condition about these classes, with type, range and how many devices report them. */
export function useRuleNames(projectId: string, deviceClasses: readonly string[]) {
  const { data } = useRead(listDeviceClasses, { params: { projectId }, query: { limit: 100 } });
  const ids = (deviceClasses.length > 0 ? deviceClasses : (data?.items.map(({ id }) => id) ?? [])).slice(
    0,
    classesMax,
  );
  const schemas = useQueries({
    queries: ids.map(classId => readOptions(readDeviceClass, { params: { classId }, query: { projectId } })),
  });
  const reports = useQueries({
    queries: ids.map(classId =>
      readOptions(readReportedProperties, { params: { classId }, query: { projectId } }),
    ),
  });
  const known = schemas.flatMap((read, at) =>
    read.data ? [{ of: read.data, reported: reports[at]?.data }] : [],
  );
  const key = JSON.stringify(known.map(({ of, reported }) => [of.id, of.revision, reported]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key contains everything in them
  const names = useMemo(() => namesIn(known), [key]);
  const isKnown = data !== undefined && [...schemas, ...reports].every(({ isPending }) => !isPending);
  return { ...names, isKnown };
}

interface Known {
  of: DeviceClass;
  reported: ReportedProperties | undefined;
}

function namesIn(known: readonly Known[]) {
  const words = new Map<string, CodeWord>();
  const numbers = new Set<string>();
  for (const { of, reported } of known) {
    const share = (name: string) => shareText(reported, name);
    for (const { path: name, keys, schema } of propertiesOf(of.stateSchema)) {
      const type = typeText(schema);
      if (/number|integer|whole/i.test(type)) numbers.add(name);
      add(words, name, [type, rangeWithUnit(schema), keys.length === 1 ? share(name) : undefined]);
    }
    for (const { name, types } of reported?.properties ?? []) {
      if (types.some(type => type === 'number' || type === 'integer')) numbers.add(name);
      add(words, name, [types.join(' or '), 'not in the schema', share(name)]);
    }
  }
  const commands = known.flatMap(({ of }) => Object.keys(of.commandSchemas ?? {}));
  return {
    words: [...words.values(), ...ruleWords],
    /** Numeric properties of the state. */
    numbers: [...numbers],
    commands: [...new Set(commands)],
  };
}

const isName = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

function add(words: Map<string, CodeWord>, name: string, about: readonly (string | undefined)[]): void {
  const word = isName.test(name) ? `state.${name}` : `state["${name}"]`;
  if (words.has(word)) return;
  words.set(word, { word, kind: 'variable', description: about.filter(Boolean).join(' · ') });
}

function shareText(reported: ReportedProperties | undefined, name: string): string | undefined {
  if (!reported || reported.devices === 0) return undefined;
  const devices = reported.properties.find(one => one.name === name)?.devices ?? 0;
  return `${Math.round((devices / reported.devices) * 100)} % report it`;
}
