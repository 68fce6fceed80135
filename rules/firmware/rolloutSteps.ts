interface Step {
  percent: number;
  startsBy: string;
}

/** Whether the percentages increase to 100 %. */
export function stepsRise(steps: readonly Step[]): boolean {
  const rises = steps.every(({ percent }, at) => at === 0 || percent > (steps[at - 1]?.percent ?? 0));
  return rises && steps.at(-1)?.percent === 100;
}

/** Whether the first steps, which have already begun, are unchanged. */
export function keepsBegun(before: readonly Step[], after: readonly Step[], begun: number): boolean {
  return before
    .slice(0, begun)
    .every(({ percent, startsBy }, at) => after[at]?.percent === percent && after[at]?.startsBy === startsBy);
}
