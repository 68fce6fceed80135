import type { Recorded } from '#contract/client.ts';
import { createStore } from './store.ts';

/** A finished call with a number that identifies it in a list. */
export interface NumberedCall extends Recorded {
  number: number;
}

const keptMax = 100;
let made = 0;

/** The calls that this tab has made, newest first, for the API inspector. */
export const calls = createStore<readonly NumberedCall[]>([]);

export function recordCall(call: Recorded): void {
  made += 1;
  calls.set([{ ...call, number: made }, ...calls.get()].slice(0, keptMax));
}

export function forgetCalls(): void {
  calls.set([]);
}
