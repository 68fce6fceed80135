import { createContext } from 'react';

/** Shows only the entries of one actor, or of one action. Absent where a log is not searched by them. */
export const LogNarrowing = createContext<((by: { who: string } | { action: string }) => void) | undefined>(
  undefined,
);
