import { Link, useParams } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { buttonClass } from '#console/ui/Button.tsx';
import { Bollard } from '#console/ui/drawings.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { type BundleName, createBundle, listBundleNames, readBundle } from '#contract/bundle.ts';
import { type Channel, readChannel } from '#contract/channel.ts';
import { createRollout } from '#contract/rollout.ts';
import { ChangeForm } from './ChangeForm.tsx';

/** Points a channel at another bundle, and first shows what that would affect. */
export function ChangeBundle() {
  const { projectId, channelId } = useParams({
    from: '/shell/projects/$projectId/channels/$channelId/bundle',
  });
  const read = useRead(readChannel, { params: { channelId } });
  const { data, error } = read;
  if (error?.reason === 'CHANNEL_NOT_FOUND' || (data && data.projectId !== projectId))
    return <NotFound what={`Channel ${channelId} does not exist.`} />;
  if (!data) return <ReadState read={read} what="The channel" />;
  return <ChooseBundle channel={data} />;
}

function ChooseBundle({ channel }: { channel: Channel }) {
  const { projectId, deviceClass, bundleId: current, name } = channel;
  const [{ to }] = useUrlState();
  const mayCreate = useMay(createBundle);
  const read = useRead(listBundleNames, { query: { projectId, deviceClass } });
  const bundles = read.data;
  if (!bundles) return <ReadState read={read} what="The bundles" />;
  const others = bundles.filter(({ id }) => id !== current);
  const chosen = others.find(({ id }) => id === to) ?? others[0];
  if (!chosen)
    return (
      <EmptyState
        isScreen
        icon={<Bollard />}
        title={bundles.length === 0 ? `No bundle for ${deviceClass} yet` : 'No other bundle yet'}
        action={
          mayCreate && (
            <Link
              to="/projects/$projectId/bundles"
              params={{ projectId }}
              hash="new"
              className={buttonClass('primary')}
            >
              Create bundle
            </Link>
          )
        }
      >
        A bundle has one version of each component. {mayCreate && `Create one, then point ${name} at it.`}
      </EmptyState>
    );
  return <ChangeTo channel={channel} bundleId={chosen.id} choices={others} />;
}

interface ChangeToProps {
  channel: Channel;
  bundleId: string;
  choices: readonly BundleName[];
}

/** The two bundles it is about are read whole; of the others, only the names are needed. */
function ChangeTo({ channel, bundleId, choices }: ChangeToProps) {
  const { bundleId: current = '' } = channel;
  const mayChange = useMay(createRollout);
  const next = useRead(readBundle, { params: { bundleId } });
  const now = useRead(readBundle, { params: { bundleId: current } }, { enabled: current !== '' });
  if (!next.data) return <ReadState read={next} what="The bundle" />;
  return (
    <ChangeForm channel={channel} now={now.data} next={next.data} choices={choices} mayChange={mayChange} />
  );
}
