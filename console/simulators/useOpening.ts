import { useState } from 'react';
import { CallFailed } from '#contract/client.ts';

/** Opens a window whose address is yet to be asked for. */
export function useOpening() {
  const [opening, setOpening] = useState(false);
  const [error, setError] = useState<CallFailed>();

  async function openAt(addressOf: () => Promise<string>, done: () => void): Promise<void> {
    // Now, by the press itself: once an answer has been waited for, browsers let no window be opened.
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
