import { useSyncExternalStore } from 'react';

/** What one looks at. `wire` is for narrow windows; wide ones show it always. */
export const views = ['controls', 'firmware', 'log', 'about', 'wire'] as const;
export type View = (typeof views)[number];

/** In the address, so that a reload shows the same. */
export function useView(): [View, (view: View) => void] {
  const hash = useSyncExternalStore(watchHash, () => window.location.hash.slice(1));
  return [
    views.find(view => view === hash) ?? 'controls',
    view => {
      window.location.hash = view;
    },
  ];
}

function watchHash(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}
