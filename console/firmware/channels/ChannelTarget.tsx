import { useRead } from '#console/core/api.ts';
import { BundleLink } from '#console/firmware/BundleLink.tsx';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { readBundle } from '#contract/bundle.ts';
import type { Channel } from '#contract/channel.ts';
import css from './channels.module.css';

/** The bundle a channel points at, and since when. */
export function ChannelTarget({ channel }: { channel: Channel }) {
  const { projectId, bundleId = '', bundleName = '', bundleSince } = channel;
  const { data: bundle } = useRead(readBundle, { params: { bundleId } }, { enabled: bundleId !== '' });
  if (bundleId === '')
    return (
      <LinePanel title="Bundle">No bundle yet: its devices get no firmware unless they are pinned.</LinePanel>
    );
  return (
    <Panel
      title="Bundle"
      note={
        <>
          since <TimeAgo time={bundleSince} />
        </>
      }
    >
      <div className={css.points}>
        <p>
          <BundleLink {...{ projectId }} bundle={{ id: bundleId, name: bundleName }} className={css.bundle} />
          <span className={css.quiet}>
            {bundle?.components
              .map(({ componentName, versionName }) => `${componentName} ${versionName}`)
              .join(', ')}
          </span>
        </p>
      </div>
    </Panel>
  );
}
