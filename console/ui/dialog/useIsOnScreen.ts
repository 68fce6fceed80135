import { useRouter } from '@tanstack/react-router';
import { useRef } from 'react';

/** Tells whether the screen that the component began on is still open, whatever dialog is. */
export function useIsOnScreen(): () => boolean {
  const router = useRouter();
  const begunOn = useRef(router.state.location.pathname);
  return () => router.state.location.pathname === begunOn.current;
}
