import { createStore } from './store.ts';

/** A sentence that stays on screen until it is dismissed or the next one comes; for what a toast is too short for. */
export interface Banner {
  text: string;
  reason?: string | undefined;
}

export const banner = createStore<Banner | undefined>(undefined);
