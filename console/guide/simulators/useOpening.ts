import { useState } from 'react';
import { CallFailed } from '#contract/client.ts';

/** Opens a window whose address has yet to be requested. */
export function useOpening() {
  const [opening, setOpening] = useState(false);
  const [error, setError] = useState<CallFailed>();

  async function openAt(addressOf: () => Promise<string>, done: () => void): Promise<void> {
    // Opened right in the press: after waiting for a response, browsers would block the window.
    const opened = window.open('', '_blank');
    setOpening(true);
    setError(undefined);
    try {
      const address = await addressOf();
      if (opened) {
        opened.opener = null;
        opened.location.replace(address);
      } else window.location.assign(address);
      done();
    } catch (failure) {
      opened?.close();
      if (!(failure instanceof CallFailed)) throw failure;
      setError(failure);
    } finally {
      setOpening(false);
    }
  }
  return { openAt, opening, error };
}
