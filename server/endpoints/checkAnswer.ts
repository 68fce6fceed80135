import type { AnyEndpoint } from '#contract/endpoint.ts';

/** For tests: an answer has the shape that its endpoint declares, and not a field more, at any depth. */
export function checkAnswer(endpoint: AnyEndpoint, answer: unknown): void {
  // The shapes drop what they do not know without a word: a column that leaks would pass.
  const undeclared = fieldBeyond(answer, endpoint.answer.parse(answer));
  if (undeclared !== undefined)
    throw new Error(`${endpoint.name} answers a field it does not declare: ${undeclared}`);
}

/** The path of the first field that a value has and what was parsed of it has not. */
function fieldBeyond(value: unknown, parsed: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    // JSON leaves it out.
    if (inner === undefined) continue;
    const known = (parsed ?? {}) as Record<string, unknown>;
    if (!Object.hasOwn(known, name)) return name;
    const beyond = fieldBeyond(inner, known[name]);
    if (beyond !== undefined) return `${name}.${beyond}`;
  }
  return undefined;
}
