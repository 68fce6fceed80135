import { useState } from 'react';
import { useUrlState } from '#console/urlState.ts';
import { type LogWindow, logViews, logWindow } from './logViews.ts';

export interface LogView {
  view: string;
  /** Stays the same until the view changes or `refresh` is called, so that it can be part of a cache key. */
  window: LogWindow;
  refresh: () => void;
}

/** The view in the address, and the stretch of time to ask the server for. */
export function useLogView(): LogView {
  const [url] = useUrlState();
  const view = logViews.find(({ value }) => value === url.view)?.value ?? 'recent';
  const [asked, setAsked] = useState({ view, window: logWindow(view, new Date()) });
  const refresh = () => setAsked({ view, window: logWindow(view, new Date()) });
  if (asked.view !== view) {
    const next = { view, window: logWindow(view, new Date()) };
    setAsked(next);
    return { ...next, refresh };
  }
  return { ...asked, refresh };
}
