import { useEffect, useState } from 'react';

/** Whether e-mails of this platform can be read at /outbox: without a mail server, on the same machine. */
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
