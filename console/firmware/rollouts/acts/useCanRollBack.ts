import { useRead } from '#console/core/api.ts';
import { readChannel } from '#contract/channel.ts';
import type { Rollout } from '#contract/rollout.ts';

/**
 * Whether a rollout can be rolled back now: not once its channel points elsewhere, and not while another rollout of the
 * channel is unfinished. False until the channel is known.
 */
export function useCanRollBack({ id, state, channel, bundle, fromBundle, counts }: Rollout): boolean {
  const { data } = useRead(readChannel, { params: { channelId: channel.id } });
  if (!data || !fromBundle || fromBundle.isDeleted || bundle.isDeleted) return false;
  if (state === 'draft' || state === 'superseded' || counts.updated === 0) return false;
  const isCurrent = data.bundleId === bundle.id || data.bundleId === fromBundle.id;
  return isCurrent && (data.rolloutId === undefined || data.rolloutId === id);
}
