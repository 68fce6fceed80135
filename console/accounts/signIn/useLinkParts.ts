import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type UrlState, useUrlState } from '#console/urlState.ts';

/** What a mailed link carries, taken out of the address bar at once so that it is not looked at, copied or bookmarked. */
export function useLinkParts(): UrlState {
  const [state] = useUrlState();
  const [parts] = useState(state);
  const navigate = useNavigate();
  useEffect(() => {
    void navigate({ to: '.', search: {} as never, replace: true });
  }, [navigate]);
  return parts;
}
