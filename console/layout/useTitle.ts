import { useEffect } from 'react';

/** Says in the window's title where one is, the place itself first. Undefined: somebody else says it. */
export function useTitle(places: readonly string[] | undefined): void {
  const title = places && [...places.toReversed(), 'Mooring'].join(' · ');
  useEffect(() => {
    if (title !== undefined) document.title = title;
  }, [title]);
}
