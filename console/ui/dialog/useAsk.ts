import { useState } from 'react';

interface Asking {
  onConfirm: () => undefined;
  onClose: () => void;
}

/**
 * Asks a question in the middle of an action: `await ask()` says whether to continue. While `asking` is set, render a
 * `Confirm` with it.
 */
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
          // Has no effect after a yes.
          resolve(false);
        },
      });
    });
  return { ask, asking };
}
