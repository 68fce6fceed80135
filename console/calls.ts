import type { Recorded } from '#contract/client.ts';
import { createStore } from './store.ts';

/** A finished call with a number, so that a list of them can be told apart. */
export interface NumberedCall extends Recorded {
  number: number;
}

const keptMax = 100;
let made = 0;

/** The calls this tab made, newest first: what the API inspector shows. */
export const calls = createStore<readonly NumberedCall[]>([]);

export function recordCall(call: Recorded): void {
  made += 1;
  calls.set([{ ...call, number: made }, ...calls.get()].slice(0, keptMax));
}

export function forgetCalls(): void {
  calls.set([]);
}
