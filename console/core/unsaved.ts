import { useEffect, useRef } from 'react';

/** Asks whether unsaved changes may be lost; true: yes. */
type Ask = () => Promise<boolean>;

const forms = new Set<Ask>();
let isGivenUp = false;

/** True: there are unsaved changes on screen that leaving would lose. */
export const hasUnsaved = (): boolean => forms.size > 0 && !isGivenUp;

/** Asks for each form on screen; false as soon as one is to stay. */
export async function mayDiscardUnsaved(): Promise<boolean> {
  for (const ask of [...forms]) if (!(await ask())) return false;
  discardUnsaved(true);
  return true;
}

/** Marks the unsaved changes as discarded, so that leaving no longer asks; false takes that back. */
export function discardUnsaved(isSo: boolean): void {
  isGivenUp = isSo && forms.size > 0;
}

/** Registers a form, so that the developer is asked about its changes before the session ends. */
export function useUnsaved(dirty: boolean, ask: Ask): void {
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (!dirty) return undefined;
    return registerUnsaved(() => latest.current());
  }, [dirty]);
}

export function registerUnsaved(ask: Ask): () => void {
  forms.add(ask);
  return () => {
    forms.delete(ask);
    discardUnsaved(isGivenUp);
  };
}
