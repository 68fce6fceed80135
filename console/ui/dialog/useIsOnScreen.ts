import { useRouter } from '@tanstack/react-router';
import { useRef } from 'react';

/** Returns whether the screen that the component started on is still open, regardless of dialogs. */
export function useIsOnScreen(): () => boolean {
  const router = useRouter();
  const begunOn = useRef(router.state.location.pathname);
  return () => router.state.location.pathname === begunOn.current;
}
