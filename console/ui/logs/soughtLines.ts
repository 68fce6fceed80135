import { createContext } from 'react';

/** What a log was searched for, and what its lines can do because it has an address. */
export interface SoughtLines {
  /** The text that was searched for: marked in the lines. */
  text?: string | undefined;
  /** The entry that the address names: unfolded. */
  line?: string | undefined;
  /** The address of the log with this entry in the middle. */
  linkTo?: (entryId: string) => string;
  showAround?: (entryId: string) => void;
}

export const SoughtLines = createContext<SoughtLines>({});
