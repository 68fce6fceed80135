import { useSyncExternalStore } from 'react';

/** What one looks at, in the address, so that a reload shows the same. The first is shown where it says nothing. */
export function useHashView<View extends string>(
  views: readonly [View, ...View[]],
): [View, (view: View) => void] {
  const hash = useSyncExternalStore(watchHash, () => window.location.hash.slice(1));
  return [
    views.find(view => view === hash) ?? views[0],
    view => {
      window.location.hash = view;
      // The browser tells of it later; whoever presses a key until then means what was chosen.
      window.dispatchEvent(new HashChangeEvent('hashchange'));
    },
  ];
}

function watchHash(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}
