import { useReducer, useRef } from 'react';
import type { LogEntry } from '#contract/log.ts';

/** So many of them are kept: of more, the newest. */
const keptMax = 500;

interface HeldLines {
  /** The log that they belong to. */
  of: string;
  entries: readonly LogEntry[];
  /** How many came, also of those that are no longer kept. */
  count: number;
}

/**
 * Keeps lines of the log `of` aside until they are taken. In a ref, because many lines can come between two renderings,
 * and each must be added to those before it.
 */
export function useHeldLines(of: string) {
  const held = useRef(noLines(of));
  const [, draw] = useReducer((times: number) => times + 1, 0);
  if (held.current.of !== of) held.current = noLines(of);
  return {
    count: held.current.count,
    keep(entry: LogEntry): void {
      held.current = withLine(held.current, entry);
      draw();
    },
    take(): HeldLines {
      const taken = held.current;
      held.current = noLines(of);
      draw();
      return taken;
    },
  };
}

const noLines = (of: string): HeldLines => ({ of, entries: [], count: 0 });

const withLine = ({ of, entries, count }: HeldLines, entry: LogEntry): HeldLines => ({
  of,
  entries: [...entries, entry].slice(-keptMax),
  count: count + 1,
});
