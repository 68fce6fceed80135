/** A member of the reported state in an expression: `state.power.watts`, `state["power"].watts` is left to the eye. */
const member = /\bstate\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)/;
const compared = /\bstate\.[\w.]+\s*([<>])=?\s*(-?\d+(?:\.\d+)?)/;

export interface NumberInRule {
  /** The path of the number, as its history names it. */
  property: string;
  /** What it is compared with, and which side of it fires. */
  limit?: { value: number; side: 'above' | 'below' };
}

/** The number that a rule looks at: the first one that its condition names. */
export function numberInRule(condition: unknown): NumberInRule | undefined {
  if (typeof condition !== 'string') return undefined;
  const property = member.exec(condition)?.[1];
  if (property === undefined) return undefined;
  const [, sign, value] = compared.exec(condition) ?? [];
  if (value === undefined) return { property };
  return { property, limit: { value: Number(value), side: sign === '>' ? 'above' : 'below' } };
}
