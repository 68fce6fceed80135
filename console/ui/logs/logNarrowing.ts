import { createContext } from 'react';

/** Shows only the entries of one actor or one action. Absent if a log cannot be filtered by them. */
export const LogNarrowing = createContext<((by: { who: string } | { action: string }) => void) | undefined>(
  undefined,
);
