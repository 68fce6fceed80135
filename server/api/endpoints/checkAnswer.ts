import type { AnyEndpoint } from '#contract/endpoint.ts';

/** For tests: checks that an answer has the shape its endpoint declares, without extra fields at any depth. */
export function checkAnswer(endpoint: AnyEndpoint, answer: unknown): void {
  // Parsing silently drops unknown fields, so a leaked column would pass.
  const undeclared = fieldBeyond(answer, endpoint.answer.parse(answer));
  if (undeclared !== undefined)
    throw new Error(`${endpoint.name} answers a field it does not declare: ${undeclared}`);
}

/** The path of the first field of a value that is missing in its parsed form. */
function fieldBeyond(value: unknown, parsed: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    // JSON omits undefined fields.
    if (inner === undefined) continue;
    const known = (parsed ?? {}) as Record<string, unknown>;
    if (!Object.hasOwn(known, name)) return name;
    const beyond = fieldBeyond(inner, known[name]);
    if (beyond !== undefined) return `${name}.${beyond}`;
  }
  return undefined;
}
