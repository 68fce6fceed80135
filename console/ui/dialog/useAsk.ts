import { useState } from 'react';

interface Asking {
  onConfirm: () => undefined;
  onClose: () => void;
}

/** A question in the middle of an act: `await ask()` says whether to go on; while `asking` is set, render a `Confirm` with it. */
export function useAsk(): { ask: () => Promise<boolean>; asking: Asking | undefined } {
  const [asking, setAsking] = useState<Asking>();
  const ask = () =>
    new Promise<boolean>(resolve => {
      setAsking({
        onConfirm() {
          resolve(true);
          return undefined;
        },
        onClose() {
          setAsking(undefined);
          // After a yes this changes nothing.
          resolve(false);
        },
      });
    });
  return { ask, asking };
}
