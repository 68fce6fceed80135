import { useSyncExternalStore } from 'react';

/** The current view, stored in the hash of the address so that it survives a reload. Defaults to the first view. */
export function useHashView<View extends string>(
  views: readonly [View, ...View[]],
): [View, (view: View) => void] {
  const hash = useSyncExternalStore(watchHash, () => window.location.hash.slice(1));
  return [
    views.find(view => view === hash) ?? views[0],
    view => {
      window.location.hash = view;
      // The browser dispatches this event later, but the new view must be shown before the next key press.
      window.dispatchEvent(new HashChangeEvent('hashchange'));
    },
  ];
}

function watchHash(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}
