import { type Condition, comparisons, methods, type Test, type Value } from './condition.ts';

/** The code of a condition. Unfinished parts leave a gap, so that a half-written sentence is half-written code. */
export function writeCondition({ join, tests }: Condition): string {
  if (tests.length === 0) return 'true';
  return tests.map(writeTest).join(join === 'and' ? ' && ' : ' || ');
}

export function writeTest({ left, op, value }: Test): string {
  if (left === undefined || op === undefined) return left ?? '';
  const said = value === undefined ? '' : writeValue(value);
  switch (op) {
    case 'true':
      return left;
    case 'false':
      return `!${left}`;
    case 'there':
      return `has(${left})`;
    case 'missing':
      return `!has(${left})`;
    case 'contains':
    case 'begins':
    case 'ends':
      return `${left}.${methods[op]}(${said})`;
    default:
      return `${left} ${comparisons[op]} ${said}`;
  }
}

function writeValue(value: Value): string {
  if ('number' in value) return value.number;
  return 'text' in value ? JSON.stringify(value.text) : String(value.bool);
}

/** Words of the language cannot stand after a dot. */
const isName = /^(?!(in|null|true|false)$)[A-Za-z_]\w*$/;

/** `state.temperature`, or `state["supply voltage"]` for a name with other characters. */
export const writePath = ([root = '', ...names]: readonly string[]): string =>
  names.reduce(
    (path, name) => (isName.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`),
    root,
  );
