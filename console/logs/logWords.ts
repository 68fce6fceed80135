import type { LevelWords } from './counts/partWords.ts';

/** What a log calls its parts. */
export interface LogWords extends LevelWords {
  actor: string;
  action: { label: string; placeholder: string };
  level: string;
  /** The level up to which entries are shown, and what that is called; the first shows all. */
  levels: readonly { value: '' | '0' | '1'; label: string }[];
}

export const usualWords: LogWords = {
  actor: 'Actor',
  action: { label: 'Action', placeholder: 'Action, exact name' },
  level: 'Level',
  levels: [
    { value: '', label: 'All' },
    { value: '1', label: 'Warnings and errors' },
    { value: '0', label: 'Errors' },
  ],
  all: ['line', 'lines'],
  warnings: ['warning', 'warnings'],
  errors: ['error', 'errors'],
};
