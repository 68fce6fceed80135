import { createStore } from './store.ts';

/** A sentence that stays on screen until it is dismissed or the next one comes; for what a toast is too short for. */
export interface Notice {
  text: string;
  reason?: string | undefined;
}

export const notice = createStore<Notice | undefined>(undefined);
