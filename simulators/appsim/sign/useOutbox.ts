import { useEffect, useState } from 'react';

/** Whether e-mails can be read at /outbox, which requires the same machine and no mail server. */
export function useOutbox(): boolean {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    fetch('/outbox', { method: 'HEAD', signal: stop.signal, credentials: 'omit' }).then(
      ({ ok }) => setOpen(ok),
      () => undefined,
    );
    return () => stop.abort();
  }, []);
  return isOpen;
}
