import type { RefObject } from 'react';
import { useActions } from '#console/core/actions.ts';

/** One hand on the keyboard goes through the lines; Enter unfolds the one in focus. */
export function useLineKeys(
  lines: RefObject<HTMLElement | null>,
  { copyLink, follow }: { copyLink: (entryId: string) => void; follow?: (() => void) | undefined },
): void {
  const here = () => document.activeElement?.closest<HTMLElement>('[data-entry]');
  function move(step: 1 | -1): void {
    const all = [...(lines.current?.querySelectorAll<HTMLElement>('summary[data-entry]') ?? [])];
    const at = all.indexOf(here() as HTMLElement);
    const next = all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + step))];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  }
  useActions([
    { label: 'Next line', keys: 'n', run: () => move(1) },
    { label: 'Previous line', keys: 'N', run: () => move(-1) },
    {
      label: 'Copy a link to the line in focus',
      keys: 'l',
      run: () => {
        const id = here()?.dataset.entry;
        if (id) copyLink(id);
      },
    },
    ...(follow ? [{ label: 'Follow or hold the log', keys: 'f', run: follow }] : []),
  ]);
}
