import { useEffect, useRef } from 'react';

/** Tells whether the component is still on screen, for what goes on after an answer. */
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
