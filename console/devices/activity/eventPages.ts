import type { InfiniteData } from '@tanstack/react-query';
import type { DeviceEvent } from '#contract/deviceState.ts';

/** Newest first; each page is read after the last event of the one before it. */
export type EventPages = InfiniteData<DeviceEvent[], string | undefined>;

export const pageSize = 50;

/**
 * Adds an event that just happened. No page grows beyond its size: reading all pages again, which asks for that many
 * events each, then brings back everything that was shown. What was pushed out is read again as the next page.
 */
export function withFirst(data: EventPages, event: DeviceEvent, eventsMax: number): EventPages {
  const [page, ...rest] = data.pages;
  if (!page || data.pages.some(one => one.some(({ id }) => id === event.id))) return data;
  const count = data.pages.reduce((sum, { length }) => sum + length, 1);
  if (count > eventsMax) return inPages([event, ...data.pages.flat()].slice(0, eventsMax));
  if (page.length < pageSize) return { ...data, pages: [[event, ...page], ...rest] };
  return { pages: [[event], page, ...rest], pageParams: [undefined, event.id, ...data.pageParams.slice(1)] };
}

function inPages(events: DeviceEvent[]): EventPages {
  const pages = Array.from({ length: events.length / pageSize }, (_, at) =>
    events.slice(at * pageSize, (at + 1) * pageSize),
  );
  return { pages, pageParams: [undefined, ...pages.slice(0, -1).map(one => one.at(-1)?.id)] };
}
