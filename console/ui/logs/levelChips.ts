import type { Chip } from '#console/ui/list/Chips.tsx';
import { logLevels } from '#contract/log.ts';
import { levelNames } from './levelNames.ts';

const tones = { ERROR: 'danger', WARN: 'warn', INFO: 'busy', DEBUG: 'off' } as const;

/** The levels of a log as filter chips. */
export const levelChips: readonly Chip[] = logLevels.map(level => ({
  value: level,
  label: levelNames[level],
  tone: tones[level],
}));
