import { useRouter } from '@tanstack/react-router';
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

/** Tells whether the screen that the component began on is still open, whatever dialog is. */
export function useIsOnScreen(): () => boolean {
  const router = useRouter();
  const begunOn = useRef(router.state.location.pathname);
  return () => router.state.location.pathname === begunOn.current;
}
