import { createStore } from './store.ts';

/** `unavailable`: the dialog could not be loaded, so nobody was asked. */
export type ProofOutcome = 'proven' | 'given up' | 'unavailable';

/** A call that waits for the password; told whether it was given. */
interface Waiting {
  /** `fresh`: the session requires it again. `ended`: there is no longer a session. */
  why: 'fresh' | 'ended';
  done: (outcome: ProofOutcome) => void;
}

export const waitingForProof = createStore<Waiting | undefined>(undefined);

let asked: Promise<ProofOutcome> | undefined;

/** Opens the dialog that asks for the password again. Calls that need it at the same time share one dialog. */
export function askForPassword(why: Waiting['why'] = 'fresh'): Promise<ProofOutcome> {
  asked ??= new Promise<ProofOutcome>(resolve => {
    waitingForProof.set({
      why,
      done(outcome) {
        asked = undefined;
        waitingForProof.set(undefined);
        resolve(outcome);
      },
    });
  });
  return asked;
}
