import { useUrlState } from '#console/core/urlState.ts';
import type { ListOptions } from '#contract/endpoint.ts';
import { pageSizeDefault, pageSizes, searchMax } from '#contract/paging.ts';
import type { Filter } from './ListScreen.tsx';

/** The query parameters that every list has. */
export interface PageQuery {
  limit: number;
  skip?: number;
  /** Replaces `skip` on lists that support it: where the previous page ended. */
  cursor?: string;
  sortBy?: string;
  search?: string;
}

interface ListStateOptions {
  cursors?: boolean | undefined;
  sizeDefault?: (typeof pageSizes)[number];
}

export type ListState = ReturnType<typeof useListState>;

/**
 * A list's search text, filters, order and page, read from the address and written to it. With `cursors`, the next page
 * is requested by the end of the previous one, which is faster than by number far down a list.
 */
export function useListState(
  options: ListOptions,
  filters: readonly Filter[],
  { cursors = false, sizeDefault = pageSizeDefault }: ListStateOptions = {},
) {
  const [url, change] = useUrlState();
  const size = pageSizes.find(one => String(one) === url.size) ?? sizeDefault;
  const number = Math.min(numberMax, Math.max(1, Math.floor(Number(url.page)) || 1));
  const sort = isSort(url.sort, options) ? url.sort : options.default;
  const search = (url.q ?? '').replaceAll('\0', '').slice(0, searchMax).toWellFormed();
  const chosen = Object.fromEntries(filters.map(({ id }) => [id, url[id]?.split(',') ?? []]));
  const isCursor = /^[\w-]{1,500}$/.test(url.after ?? '');
  const cursor = cursors && number > 1 && isCursor ? url.after : undefined;
  const page: PageQuery = { limit: size, ...(cursor ? { cursor } : { skip: (number - 1) * size }) };
  if (sort !== options.default) page.sortBy = sort;
  if (search) page.search = search;
  const noFilters = Object.fromEntries(filters.map(({ id }) => [id, undefined]));

  return {
    page,
    number,
    size,
    sort,
    /** The order if the address has none. */
    sortDefault: options.default,
    search,
    chosen,
    /** A search text or a filter hides rows. */
    narrowed: search !== '' || Object.values(chosen).some(values => values.length > 0),
    // Typing replaces the history entry, so that Back does not step through the text letter by letter.
    searchFor: (text: string) => change({ q: text, ...firstPage }, { replace: true }),
    choose: (id: string, values: string[]) => change({ [id]: values.join(','), ...firstPage }),
    sortBy: (by: string) => change({ sort: by === options.default ? undefined : by, ...firstPage }),
    /** Reads the page by its number: the end of the previous page is no longer known. */
    forgetCursor: () => change({ after: undefined }, { replace: true }),
    goTo: (to: number, after?: string) =>
      change({ page: to === 1 ? undefined : String(to), after: cursors ? after : undefined }),
    resize: (to: number) => change({ size: to === sizeDefault ? undefined : String(to), ...firstPage }),
    clear: () => change({ q: undefined, ...firstPage, ...noFilters }),
  };
}

/** Longer than any list, and still a number that the API accepts. */
const numberMax = 1e9;
const firstPage = { page: undefined, after: undefined };

/** An address can contain anything; only an order that the list knows is sent to the server. */
export function isSort(text: string | undefined, { sortBy }: ListOptions): text is string {
  const [field, direction] = text?.split(':') ?? [];
  return field !== undefined && sortBy.includes(field) && (direction === 'asc' || direction === 'desc');
}
