import { StatePill } from '#console/ui/state/StatePill.tsx';
import { LastsSince } from '#console/ui/time/TimeAgo.tsx';
import type { Channel } from '#contract/channel.ts';
import type { ChannelFirmware } from '#contract/channelFirmware.ts';

interface ChannelPillProps {
  channel: Channel;
  firmware: ChannelFirmware | undefined;
}

/** How a channel without a rollout stands. */
export function ChannelPill({ channel: { bundleName, bundleSince }, firmware }: ChannelPillProps) {
  if (bundleName === undefined) return <StatePill tone="never" word="No bundle" />;
  const isUpdating = (firmware?.devices.updating ?? 0) > 0;
  return (
    <StatePill
      tone={isUpdating ? 'busy' : 'ok'}
      word={isUpdating ? 'Updating' : 'Settled'}
      detail={
        <>
          on <span dir="auto">{bundleName}</span>{' '}
          {bundleSince && (
            <>
              for <LastsSince time={bundleSince} />
            </>
          )}
        </>
      }
    />
  );
}
