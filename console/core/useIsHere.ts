import { useEffect, useRef } from 'react';

/** Returns whether the component is still on screen, for work that continues after a response. */
export function useIsHere(): () => boolean {
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return () => here.current;
}
