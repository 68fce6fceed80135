import { useRead } from '#console/core/api.ts';
import { limitMax } from '#contract/paging.ts';
import { listRollouts, type RolloutRow } from '#contract/rollout.ts';

/** The unfinished rollout of each channel, by the channel's id. */
export function useUnfinishedRollouts(projectId: string): ReadonlyMap<string, RolloutRow> | undefined {
  const { data } = useRead(listRollouts, { query: { projectId, state: 'unfinished', limit: limitMax } });
  return data && new Map(data.items.map(row => [row.channel.id, row]));
}
