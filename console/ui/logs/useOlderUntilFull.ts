import { useEffect, useRef } from 'react';

const enough = 25;
const loadsMax = 20;

interface Narrowed {
  /** The filters as a text: others start over. Undefined: everything is shown. */
  question: string | undefined;
  shown: number;
  older: { load: () => void; loading: boolean } | undefined;
}

/**
 * A filter applies to the loaded entries only. While too few match to fill a screen, older entries are loaded
 * automatically, up to a limit.
 */
export function useOlderUntilFull({ question, shown, older }: Narrowed): void {
  const loads = useRef({ question, count: 0 });
  useEffect(() => {
    if (loads.current.question !== question) loads.current = { question, count: 0 };
    if (question === undefined || shown >= enough || !older || older.loading) return;
    if (loads.current.count >= loadsMax) return;
    loads.current.count += 1;
    older.load();
  });
}
