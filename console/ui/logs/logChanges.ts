import { isObject } from '#rules/json/mergePatch.ts';
import { changedField } from './changedField.ts';

type Fields = Record<string, unknown>;

/** A changed field; a nested field is named `policy.minLength`. */
export interface Change {
  name: string;
  /** Absent: it was not set. */
  before: string | undefined;
  after: string | undefined;
}

/** Fields that the platform itself writes into every row, or as a consequence of a change: nobody's own change. */
const machineFields = new Set(['updatedAt', 'revision', 'delta', 'desiredAt', 'desiredVersion']);

/** The differences between two states of an object, field by field; if only one state is known, all its fields. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const [was, is] = [leavesOf(before), leavesOf(after)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter(
    name => was.get(name) !== is.get(name) && !machineFields.has(name.split('.', 1)[0] ?? name),
  );
  return (
    changed
      // An id is left out beside the name of what it refers to, and an empty object beside what was added to it.
      .filter(name => !changed.includes(`${name}Name`))
      .filter(name => (was.get(name) ?? is.get(name)) !== '{}' || !changed.some(isWithin(name)))
      .map(name => ({ name, before: was.get(name), after: is.get(name) }))
  );
}

const isWithin = (name: string) => (other: string) => other.startsWith(`${name}.`);

const namedMax = 3;
const shortMax = 40;

/** An edit on one line: the field with both values, or which fields. Empty if nothing changed. */
export function changesInShort(before: unknown, after: unknown): string {
  if (!isObject(before) || !isObject(after)) return '';
  const changes = changesOf(before, after);
  const [only] = changes;
  const names = [...new Set(changes.map(({ name }) => wholeOf(name, before, after) ?? changedField(name)))];
  if (only && changes.length === 1 && names[0] === changedField(only.name))
    return `${names[0]}: ${short(only.before)} → ${short(only.after)}`;
  const more = names.length - namedMax;
  return `${names.slice(0, namedMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** An object that came or went as a whole is told as one change, not by each value in it: "State schema removed". */
function wholeOf(name: string, before: Fields, after: Fields): string | undefined {
  let [was, is]: unknown[] = [before, after];
  const path: string[] = [];
  for (const step of name.split('.')) {
    if (!isObject(was) || !isObject(is)) return undefined;
    path.push(step);
    [was, is] = [was[step] ?? undefined, is[step] ?? undefined];
    if (is === undefined && isFilled(was)) return `${changedField(path.join('.'))} removed`;
    if (was === undefined && isFilled(is)) return `${changedField(path.join('.'))} added`;
  }
  return undefined;
}

const isFilled = (value: unknown) => isObject(value) && Object.keys(value).length > 0;

function short(value = 'not set'): string {
  const [line = ''] = value.split('\n');
  const cut = line.length > shortMax || line !== value ? `${line.slice(0, shortMax)}…` : line;
  return rightToLeft.test(cut) ? `\u2068${cut}\u2069` : cut;
}

/** Such values are isolated, so that they do not reorder the text around them. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

const depthMax = 4;

function leavesOf(value: unknown, path = '', depth = 0): Map<string, string> {
  if (!isObject(value)) return new Map();
  const leaves = new Map<string, string>();
  for (const [name, inner] of Object.entries(value)) {
    const at = path ? `${path}.${name}` : name;
    const isDeeper = isObject(inner) && Object.keys(inner).length > 0 && depth < depthMax;
    if (isDeeper) for (const [leaf, text] of leavesOf(inner, at, depth + 1)) leaves.set(leaf, text);
    else if (inner !== undefined && inner !== null) leaves.set(at, textOf(inner));
  }
  return leaves;
}

function textOf(value: unknown): string {
  if (value === '') return '(empty)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
