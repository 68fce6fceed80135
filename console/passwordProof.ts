import { createStore } from './store.ts';

/** A call that waits for the password; told whether it was given. */
export const waitingForProof = createStore<((proven: boolean) => void) | undefined>(undefined);

let asked: Promise<boolean> | undefined;

/** Opens the dialog that asks for the password again. Calls that need it at the same time share one dialog. */
export function askForPassword(): Promise<boolean> {
  asked ??= new Promise<boolean>(resolve => {
    waitingForProof.set(proven => {
      asked = undefined;
      waitingForProof.set(undefined);
      resolve(proven);
    });
  });
  return asked;
}
