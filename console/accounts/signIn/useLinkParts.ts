import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type UrlState, useUrlState } from '#console/core/urlState.ts';

/**
 * The parameters of an e-mailed link, removed from the address bar at once so that nobody sees, copies or bookmarks
 * them.
 */
export function useLinkParts(): UrlState {
  const [state] = useUrlState();
  const [parts] = useState(state);
  const navigate = useNavigate();
  useEffect(() => {
    void navigate({ to: '.', search: {} as never, replace: true });
  }, [navigate]);
  return parts;
}
