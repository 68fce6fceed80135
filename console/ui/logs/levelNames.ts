import type { logLevels } from '#contract/log.ts';

/** The levels as words in a line, which need not be shouted. */
export const levelNames: Record<(typeof logLevels)[number], string> = {
  ERROR: 'Error',
  WARN: 'Warning',
  INFO: 'Info',
  DEBUG: 'Debug',
};
