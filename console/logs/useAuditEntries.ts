import { useState } from 'react';
import { call, useRead } from '#console/api.ts';
import { useLiveEntries } from '#console/live.ts';
import type { CallFailed } from '#contract/client.ts';
import { type LogEntry, readLogEntries } from '#contract/log.ts';

export interface AuditQuery {
  begin: string;
  end: string;
  maxEntries: number;
  text?: string;
  action?: string;
  actor?: string;
}

interface Beside {
  /** What it belongs to: another question forgets it. */
  key: string;
  older: readonly LogEntry[];
  newer: readonly LogEntry[];
  /** True: the last page was not full. */
  atEnd: boolean;
  loading: boolean;
}

export interface AuditEntries {
  entries: readonly LogEntry[] | undefined;
  error: CallFailed | null;
  retry: () => void;
  older: { load: () => void; loading: boolean } | undefined;
}

/** A page of the audit log, the pages loaded before it, and what the tail brought since. */
export function useAuditEntries(
  projectId: string,
  query: AuditQuery,
  { tail, pages }: { tail: boolean; pages: boolean },
): AuditEntries {
  const params = { projectId };
  const key = JSON.stringify([projectId, query]);
  const first = useRead(readLogEntries, { params, query });
  const [kept, setKept] = useState<Beside>(nothing(key));
  const beside = kept.key === key ? kept : nothing(key);
  useLiveEntries(entry => setKept({ ...beside, newer: [entry, ...beside.newer] }), tail);

  async function load(): Promise<void> {
    const after = (beside.older.at(-1) ?? first.data?.at(-1))?.id;
    if (!after || beside.loading) return;
    setKept({ ...beside, loading: true });
    const page = await call(readLogEntries, { params, query: { ...query, after } }).catch(() => undefined);
    setKept(now => ({
      ...now,
      loading: false,
      older: [...now.older, ...(page ?? [])],
      atEnd: page !== undefined && page.length < query.maxEntries,
    }));
  }

  const mayHaveOlder = pages && !beside.atEnd && (first.data?.length ?? 0) >= query.maxEntries;
  return {
    entries: first.data && once([...beside.newer, ...first.data, ...beside.older]),
    error: first.error,
    retry: () => void first.refetch(),
    older: mayHaveOlder ? { load: () => void load(), loading: beside.loading } : undefined,
  };
}

function nothing(key: string): Beside {
  return { key, older: [], newer: [], atEnd: false, loading: false };
}

/** What the tail brought may be in a page that was read again. */
function once(entries: readonly LogEntry[]): LogEntry[] {
  return [...new Map(entries.map(entry => [entry.id, entry])).values()];
}
