import { createStore } from './store.ts';

/**
 * A message that stays on screen until it is dismissed or replaced, for what needs more time to read than a toast
 * gives.
 */
export interface Banner {
  text: string;
  reason?: string | undefined;
}

export const banner = createStore<Banner | undefined>(undefined);
