import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addToRead } from '#console/core/live/liveReads.ts';
import { useUrlState } from '#console/core/urlState.ts';
import type { CallFailed } from '#contract/client.ts';
import { type LogEntry, searchedToHeader } from '#contract/log.ts';
import type { LogCounts } from '#contract/logCounts.ts';
import { type AuditQuestion, answers } from './auditQuestion.ts';
import { useHeldLines } from './useHeldLines.ts';

/** A log: its key, how it is read and counted, and how additions are announced. */
export interface LogSource {
  key: string;
  read: (asked: {
    query: AuditQuestion & From;
    signal: AbortSignal;
    onHeaders?: (headers: Headers) => void;
  }) => Promise<LogEntry[]>;
  count: (asked: { query: AuditQuestion & { parts: number }; signal: AbortSignal }) => Promise<LogCounts>;
  useTail: (onEntry: (entry: LogEntry) => void, enabled: boolean) => void;
}

/** Where a page starts, and its maximum size. */
export interface From {
  after?: string;
  near?: string;
  end?: string;
  maxEntries: number;
}

interface LogPage {
  entries: LogEntry[];
  /** Set if the server ran out of time before it had searched further back. */
  searchedTo?: string;
  asked: number;
}

type Pages = InfiniteData<LogPage, From>;

const pageEntries = 15;
const entriesMax = 999;

export interface LogEntries {
  entries: readonly LogEntry[] | undefined;
  error: CallFailed | null;
  retry: () => void;
  older: { load: () => void; loading: boolean } | undefined;
  searchedTo: string | undefined;
  /** Entries that came while they were held back, and how to show them. */
  newer: { count: number; show: () => void };
}

interface LogReading {
  tail: boolean;
  /** Keeps what comes aside: the lines that somebody reads stay where they are. */
  hold: boolean;
  only: number | undefined;
}

/**
 * A log, page by page. The number of open pages is in the address, so that anyone who is sent the link sees them all.
 * The tail adds entries that match the query to the first page.
 */
export function useLogEntries(
  source: LogSource,
  question: AuditQuestion,
  { tail, hold, only }: LogReading,
): LogEntries {
  const [url, change] = useUrlState();
  const [pagesAtFirst] = useState(() => Math.max(1, Math.floor(Number(url.pages)) || 1));
  const first = { maxEntries: only ?? Math.min(entriesMax, pagesAtFirst * pageEntries) };
  const queryKey = ['log', source.key, question, only];
  const read = useInfiniteQuery<LogPage, CallFailed, Pages, typeof queryKey, From>({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(source, question, pageParam, signal),
    initialPageParam: first,
    getNextPageParam: nextAfter,
  });
  const name = JSON.stringify(queryKey);
  const held = useHeldLines(name);
  const add = (entry: LogEntry) => addToRead<Pages>(queryKey, data => withFirst(data, entry));
  source.useTail(entry => {
    if (!answers(entry, question)) return;
    if (hold) held.keep(entry);
    else add(entry);
  }, tail);
  function showNewer(): void {
    const { entries, count } = held.take();
    // More than could be kept: what is missing between them is read.
    if (count > entries.length) void read.refetch();
    else entries.forEach(add);
  }

  const pages = read.data?.pages;
  const load = () => {
    change({ pages: String((pages?.length ?? 1) + pagesAtFirst) }, { replace: true });
    void read.fetchNextPage();
  };
  return {
    entries: pages?.flatMap(({ entries }) => entries),
    error: read.error,
    retry: () => void read.refetch(),
    older: only === undefined && read.hasNextPage ? { load, loading: read.isFetchingNextPage } : undefined,
    searchedTo: pages?.at(-1)?.searchedTo,
    newer: { count: held.count, show: showNewer },
  };
}

async function readPage(
  source: LogSource,
  question: AuditQuestion,
  from: From,
  signal: AbortSignal,
): Promise<LogPage> {
  let searchedTo: string | undefined;
  const entries = await source.read({
    query: { ...question, ...from },
    signal,
    onHeaders: headers => {
      searchedTo = headers.get(searchedToHeader) ?? undefined;
    },
  });
  return { entries, asked: from.maxEntries, ...(searchedTo && { searchedTo }) };
}

/** A page that is not full is the last one, unless the server says that it stopped searching. */
function nextAfter({ entries, searchedTo, asked }: LogPage): From | undefined {
  if (searchedTo) return { end: searchedTo, maxEntries: pageEntries };
  const after = entries.at(-1)?.id;
  return after && entries.length >= asked ? { after, maxEntries: pageEntries } : undefined;
}

function withFirst(data: Pages, entry: LogEntry): Pages {
  const [page, ...rest] = data.pages;
  if (!page || page.entries.some(({ id }) => id === entry.id)) return data;
  // Counts as one more requested, so that the page still counts as full.
  const grown = { ...page, entries: [entry, ...page.entries], asked: page.asked + 1 };
  return { ...data, pages: [grown, ...rest] };
}
