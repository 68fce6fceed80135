import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(width < 640px)');

/** Whether the screen is as narrow as a phone, for differences that a style sheet cannot express. */
export const useIsNarrow = () => useSyncExternalStore(watch, () => narrow.matches);

function watch(changed: () => void): () => void {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
}
