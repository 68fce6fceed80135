import { createStore } from './store.ts';

/** A call that waits for the password; told whether it was given. */
interface Waiting {
  /** `fresh`: the session requires it again. `ended`: there is no longer a session. */
  why: 'fresh' | 'ended';
  done: (proven: boolean) => void;
}

export const waitingForProof = createStore<Waiting | undefined>(undefined);

let asked: Promise<boolean> | undefined;

/** Opens the dialog that asks for the password again. Calls that need it at the same time share one dialog. */
export function askForPassword(why: Waiting['why'] = 'fresh'): Promise<boolean> {
  asked ??= new Promise<boolean>(resolve => {
    waitingForProof.set({
      why,
      done(proven) {
        asked = undefined;
        waitingForProof.set(undefined);
        resolve(proven);
      },
    });
  });
  return asked;
}
