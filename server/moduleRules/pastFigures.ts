import type { Given } from '#server/expressions/given.ts';
import type { Seen } from './givenFor.ts';

export async function figuresFor(_: unknown, seen: readonly Seen[], __: Date): Promise<Given['figures'][]> {
  return seen.map(() => ({}));
}
