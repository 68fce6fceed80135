import type { SchemaFault } from '#contract/deviceClass.ts';
import { checkAgainst } from '#server/deviceClasses/schemas.ts';

/** How long the messages of one project may be compared with their schemas in one batch. */
const projectMs = 20;

/**
 * What the checks of one batch take, project by project: what more it has is left to the next batch, so that whoever has
 * costly schemas waits for himself. All that come after are left as well, and keep their order.
 */
export class CheckTime {
  readonly #spentMs = new Map<string, number>();

  isOver(projectId: string): boolean {
    return (this.#spentMs.get(projectId) ?? 0) > projectMs;
  }

  check(projectId: string, schema: unknown, value: unknown): SchemaFault[] {
    const beganMs = performance.now();
    const faults = checkAgainst(schema, value);
    this.#spentMs.set(projectId, (this.#spentMs.get(projectId) ?? 0) + performance.now() - beganMs);
    return faults;
  }
}
