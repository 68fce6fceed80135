import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(width < 640px)');

/** Whether it is a phone that one looks at: where style sheets cannot tell the difference. */
export const useIsNarrow = () => useSyncExternalStore(watch, () => narrow.matches);

function watch(changed: () => void): () => void {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
}
