import { Link, type LinkProps } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { devicesText } from '#console/firmware/channels/channelWords.ts';
import { buttonClass } from '#console/ui/Button.tsx';
import { Menu } from '#console/ui/dialog/Menu.tsx';
import { ChevronDownIcon } from '#console/ui/icons/icons.tsx';
import type { Bundle } from '#contract/bundle.ts';
import { type Channel, channelsMax, listChannels } from '#contract/channel.ts';
import { createRollout } from '#contract/rollout.ts';

interface RollOutToProps {
  projectId: string;
  bundle: Bundle;
}

/** Leads to the channels that could get the bundle; one with an unfinished rollout is shown with it. */
export function RollOutTo({ projectId, bundle: { id, deviceClass } }: RollOutToProps) {
  const may = useMay(createRollout);
  const { data } = useRead(listChannels, { query: { projectId, deviceClass, limit: channelsMax } });
  const others = data?.items.filter(({ bundleId }) => bundleId !== id) ?? [];
  const [only] = others;
  if (!may || !only) return null;
  if (others.length === 1 && only.rolloutId === undefined)
    return (
      <Link {...linkTo(only, id)} className={buttonClass('primary')}>
        Roll out to {only.name}
      </Link>
    );
  return (
    <Menu
      label="Roll out to"
      trigger={
        <>
          <span aria-hidden="true">Roll out to</span>
          <ChevronDownIcon size={14} />
        </>
      }
      triggerClass={buttonClass('primary')}
      items={others.map(channel => ({
        label: channel.name,
        note: channel.rolloutId === undefined ? devicesText(channel.deviceCount) : 'has a rollout',
        link: linkTo(channel, id),
      }))}
    />
  );
}

/** Where a rollout is in the way, the channel shows it. */
function linkTo({ projectId, id: channelId, rolloutId }: Channel, bundleId: string): LinkProps {
  const params = { projectId, channelId };
  if (rolloutId !== undefined) return { to: '/projects/$projectId/channels/$channelId', params };
  return {
    to: '/projects/$projectId/channels/$channelId/bundle',
    params,
    search: { to: bundleId } as never,
  };
}
