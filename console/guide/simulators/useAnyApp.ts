import { useRead } from '#console/core/api.ts';
import { type AppRow, listApps } from '#contract/app.ts';

/** An app of the project to try things with: the first. Null: none; undefined: not known yet, or not wanted. */
export function useAnyApp(projectId: string, enabled = true): AppRow | null | undefined {
  const { data, error } = useRead(listApps, { params: { projectId }, query: { limit: 1 } }, { enabled });
  if (data) return data.items[0] ?? null;
  return error ? null : undefined;
}
