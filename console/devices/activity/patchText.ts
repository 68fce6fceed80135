import type { DesiredChange } from '#contract/desiredChange.ts';

/** "on = true, level = 3" */
export function patchText(patch: DesiredChange['patch']): string {
  const values = Object.entries(patch).map(
    ([name, value]) => `${name} = ${value === null ? '–' : JSON.stringify(value)}`,
  );
  return values.join(', ') || 'no change';
}
