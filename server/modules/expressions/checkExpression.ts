import type { ASTNode, Environment, ObjectSchema } from '@marcbachmann/cel-js';
import { childrenOf, textOf } from './astNodes.ts';
import { boundedUse, type ExpressionFault, type Used } from './bounds.ts';
import { faultInWords, type KnownWords } from './faultWords.ts';
import { createLanguage, expressionMax } from './language.ts';

/** The names that expressions can use, with types from the schemas of the classes. */
export interface Names {
  state: ObjectSchema | 'map';
  payload: ObjectSchema | 'map';
  /** Labels of data sources. */
  data: readonly string[];
  /** Who reports the state, in the plural: `thermostats`. */
  reporters?: string;
}

const device: ObjectSchema = {
  id: 'string',
  tag: 'string',
  name: 'string',
  class: 'string',
  connected: 'bool',
  connectedFor: 'google.protobuf.Duration',
  home: 'string',
};
const deviceFields = Object.keys(device);

export interface Checker {
  check: (source: string, wants: 'condition' | 'value') => CheckedExpression;
}

export interface CheckedExpression {
  faults: ExpressionFault[];
  used: Used;
}

/** Checks expressions against the types of their names before they are evaluated. */
export function createChecker(names: Names): Checker {
  const language = createLanguage(() => undefined);
  const payload = names.payload;
  language.registerVariable({ name: 'device', schema: device });
  const event = { id: 'string', name: 'string', ts: 'google.protobuf.Timestamp', payload };
  language.registerVariable({ name: 'event', schema: event });
  if (names.state === 'map') language.registerVariable('state', 'map');
  else language.registerVariable({ name: 'state', schema: names.state });
  language.registerVariable({
    name: 'data',
    schema: Object.fromEntries(names.data.map(label => [label, 'dyn'])),
  });
  const known = [...namesOf(names.state), ...namesOf(payload), ...names.data, ...deviceFields];
  const words = { names: known, ...(names.reporters !== undefined && { reporters: names.reporters }) };
  return { check: (source, wants) => check(language, source, wants, words) };
}

function check(
  language: Environment,
  source: string,
  wants: 'condition' | 'value',
  known: KnownWords,
): CheckedExpression {
  const none: Used = { nodes: 0, names: new Set(), figures: [] };
  if (source.trim() === '')
    return { used: none, faults: [{ message: 'Write a condition.', from: 0, to: source.length }] };
  if (source.length > expressionMax) {
    const message = `An expression can have at most ${expressionMax} characters.`;
    return { used: none, faults: [{ message, from: expressionMax, to: source.length }] };
  }
  try {
    const parsed = language.parse(source);
    const { used, faults } = boundedUse(parsed.ast);
    if (faults.length > 0) return { used, faults };
    checkPresence(language, parsed.ast);
    const { valid, type, error } = parsed.check();
    if (!valid) return { used, faults: [faultInWords(error, source, known)] };
    if (wants === 'condition' && type !== 'bool' && type !== 'dyn') {
      const message = 'A condition must be true or false: compare the value, as in `state.temperature > 30`.';
      return { used, faults: [{ message, from: 0, to: source.length }] };
    }
    return { used, faults: [] };
  } catch (error) {
    return { used: none, faults: [faultInWords(error, source, known)] };
  }
}

/** Rejects `has()` of an unknown field, such as `has(state.temprature)`: always false, but the library accepts it. */
function checkPresence(language: Environment, node: ASTNode): void {
  if (node.op === 'call' && node.args[0] === 'has') {
    const [what] = node.args[1];
    // Padded with spaces, so that the position of the error is that in the whole text.
    const result = what && language.check(' '.repeat(what.start) + textOf(what));
    if (result?.error && (result.error as { code?: string }).code === 'no_such_key') throw result.error;
  }
  for (const child of childrenOf(node)) checkPresence(language, child);
}

function namesOf(schema: ObjectSchema | 'map'): string[] {
  if (schema === 'map') return [];
  return Object.entries(schema).flatMap(([name, type]) =>
    typeof type === 'object' ? [name, ...namesOf(type as ObjectSchema)] : [name],
  );
}
