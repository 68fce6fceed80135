import { useEffect } from 'react';

/** Sets the window title, the innermost place first. Undefined: another component sets it. */
export function useTitle(places: readonly string[] | undefined): void {
  const title = places && [...places.toReversed(), 'Mooring'].join(' · ');
  useEffect(() => {
    if (title !== undefined) document.title = title;
  }, [title]);
}
