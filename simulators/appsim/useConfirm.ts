import { useEffect, useState } from 'react';

const patienceMs = 5000;

/** Requires a second press within a few seconds for irreversible actions; the button then says what it will do. */
export function useConfirm() {
  const [asked, setAsked] = useState<string>();
  useEffect(() => {
    if (asked === undefined) return;
    const timer = setTimeout(() => setAsked(undefined), patienceMs);
    return () => clearTimeout(timer);
  }, [asked]);
  function press(what: string, act: () => void) {
    setAsked(asked === what ? undefined : what);
    if (asked === what) act();
  }
  return { asked, press };
}
