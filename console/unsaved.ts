import { useEffect, useRef } from 'react';

/** Asks whether what was typed may be lost; true: yes. */
type Ask = () => Promise<boolean>;

const forms = new Set<Ask>();
let isGivenUp = false;

/** True: something was typed on screen that leaving would lose. */
export const hasUnsaved = (): boolean => forms.size > 0 && !isGivenUp;

/** Asks for each form on screen; false as soon as one is to stay. */
export async function mayDiscardUnsaved(): Promise<boolean> {
  for (const ask of [...forms]) if (!(await ask())) return false;
  discardUnsaved(true);
  return true;
}

/** What was typed is given up, so that leaving asks no more; or it is not after all. */
export function discardUnsaved(isSo: boolean): void {
  isGivenUp = isSo && forms.size > 0;
}

/** Has a form asked about before the session it belongs to is ended. */
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
