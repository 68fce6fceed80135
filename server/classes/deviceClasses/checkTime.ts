import type { SchemaFault } from '#contract/quarantine.ts';

/** The time budget for validating the messages of one project in one batch. */
const projectMs = 20;

/**
 * Limits the validation time of each batch per project. Messages beyond the budget are deferred to the next
 * batch, together with all later ones of the project to preserve their order, so that expensive schemas delay
 * only their own project.
 */
export class CheckTime {
  readonly #spentMs = new Map<string, number>();

  isOver(projectId: string): boolean {
    return (this.#spentMs.get(projectId) ?? 0) > projectMs;
  }

  check(projectId: string, validate: () => SchemaFault[]): SchemaFault[] {
    const beganMs = performance.now();
    const faults = validate();
    this.#spentMs.set(projectId, (this.#spentMs.get(projectId) ?? 0) + performance.now() - beganMs);
    return faults;
  }
}
