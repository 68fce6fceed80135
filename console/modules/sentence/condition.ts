/** A condition that a sentence can say: comparisons of values, joined by one word. */
export interface Condition {
  join: 'and' | 'or';
  /** Empty: always true. */
  tests: readonly Test[];
}

/** One comparison; what is absent has not been chosen yet. */
export interface Test {
  /** As written in code: `state.temperature`. */
  left?: string;
  /** Present if `left` is. */
  op?: Op;
  value?: Value;
}

/** Numbers as they are written, so that 6.0 stays 6.0. */
export type Value = { number: string } | { text: string } | { bool: boolean };

/** Each comparison as it is written between two values, or around the only one. */
export const comparisons = {
  is: '==',
  isNot: '!=',
  below: '<',
  atMost: '<=',
  above: '>',
  atLeast: '>=',
} as const;
export const methods = { contains: 'contains', begins: 'startsWith', ends: 'endsWith' } as const;
export const alone = ['true', 'false', 'there', 'missing'] as const;

export type Op = keyof typeof comparisons | keyof typeof methods | (typeof alone)[number];

/** Whether the comparison needs a value at its right. */
export const takesValue = (op: Op): boolean => !alone.some(one => one === op);

const orders: readonly Op[] = ['below', 'atMost', 'above', 'atLeast'];
/** Whether the comparison is of two numbers, as a sentence says it. */
export const isOrder = (op: Op): boolean => orders.includes(op);

/** Whether only texts can be compared like this. */
export const isOfTexts = (op: Op): boolean => Object.hasOwn(methods, op);

/** Whether the comparison can be written with a value of this type. */
export const fitsValue = (op: Op, value: Value): boolean =>
  takesValue(op) && (!isOfTexts(op) || 'text' in value);

export const isFinished = ({ left, op, value }: Test): boolean =>
  left !== undefined && op !== undefined && (value !== undefined || !takesValue(op));
