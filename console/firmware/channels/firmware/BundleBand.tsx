import { Link } from '@tanstack/react-router';
import { useMay } from '#console/core/membership/useMay.ts';
import { BundleLink } from '#console/firmware/BundleLink.tsx';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { buttonClass } from '#console/ui/Button.tsx';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import panel from '#console/ui/screen/Panel.module.css';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState, type ReadStateProps } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Channel } from '#contract/channel.ts';
import type { ChannelFirmware } from '#contract/channelFirmware.ts';
import { createRollout } from '#contract/rollout.ts';
import { ChannelBar } from './ChannelBar.tsx';
import css from './channelBand.module.css';
import { contentsText } from './contentsText.ts';

interface BundleBandProps {
  channel: Channel;
  read: ReadStateProps['read'] & { data: ChannelFirmware | undefined };
}

/** A channel without a rollout: the bundle it points at, who runs it, and what could come next. */
export function BundleBand({ channel, read }: BundleBandProps) {
  const { projectId, deviceClass, bundleId, bundleName = '' } = channel;
  const firmware = read.data;
  if (bundleId === undefined && firmware?.next.length === 0)
    return (
      <LinePanel title="Bundle">
        No bundle yet, and none to choose: create one for {deviceClass} first. Until then, its devices get no
        firmware unless they are pinned.
      </LinePanel>
    );
  return (
    <Panel
      title="Bundle"
      note={bundleId === undefined ? 'none yet' : 'every device of this channel should run it'}
      flush
      action={
        bundleId !== undefined && (
          <Link
            to="/projects/$projectId/bundles/$bundleId"
            params={{ projectId, bundleId }}
            className={panel.headLink}
          >
            Open bundle
          </Link>
        )
      }
    >
      {bundleId !== undefined && (
        <div className={css.current}>
          <div className={css.side}>
            <BundleLink
              {...{ projectId }}
              bundle={{ id: bundleId, name: bundleName }}
              className={css.bundle}
            />
            {firmware?.current && <span className={css.contents}>{contentsText(firmware.current)}</span>}
          </div>
          {firmware && <ChannelBar firmware={firmware} bundleName={bundleName} isRollout={false} />}
        </div>
      )}
      <ReadState read={read} what="Its devices" skeleton={<Skeleton shape="rows" lines={2} />} refetchError />
      {firmware && <ComingNext channel={channel} next={firmware.next} />}
    </Panel>
  );
}

function ComingNext({ channel, next }: { channel: Channel; next: ChannelFirmware['next'] }) {
  const { projectId, id: channelId, bundleName, deviceClass } = channel;
  const mayRollOut = useMay(createRollout);
  if (next.length === 0)
    return (
      <p className={css.coming}>
        <span dir="auto">{bundleName}</span> <span className={css.quiet}>is the newest</span>
      </p>
    );
  return (
    <>
      <div className={css.coming}>
        <h3>Could come next</h3>{' '}
        <span className={css.quiet} dir="auto">
          {bundleName === undefined ? '' : `newer than ${bundleName}, `}made for {deviceClass}
        </span>
      </div>
      <ul className={css.candidates} aria-label="Could come next">
        {next.map(bundle => (
          <li key={bundle.id}>
            <BundleLink {...{ projectId, bundle }} />
            <span className={css.contents}>{contentsText(bundle.contents)}</span>
            <span className={css.quiet}>
              created <TimeAgo time={bundle.createdAt} />
              {bundle.createdBy && <span dir="auto"> by {bundle.createdBy.name}</span>}, {usedText(bundle)}
            </span>
            {mayRollOut && (
              <Link
                to="/projects/$projectId/channels/$channelId/bundle"
                params={{ projectId, channelId }}
                search={{ to: bundle.id } as never}
                className={buttonClass()}
              >
                Roll out<span className="visuallyHidden"> {bundle.name}</span>
              </Link>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** "on beta with 4 devices" */
function usedText({ channels, deviceCount }: ChannelFirmware['next'][number]): string {
  const devices = deviceCount === 0 ? 'no device yet' : countOf(deviceCount, 'device');
  if (channels.length === 0) return `on ${devices}`;
  return `on ${channels.map(({ name }) => name).join(' and ')} with ${devices}`;
}
