import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { buttonClass } from '#console/ui/Button.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { type Bundle, type BundleUse, readBundleUse } from '#contract/bundle.ts';
import { createChannel, listChannels } from '#contract/channel.ts';
import css from './bundles.module.css';

interface BundleUsePanelProps {
  projectId: string;
  bundle: Bundle;
}

/** Which channels and devices are told to run a bundle, and which devices do. */
export function BundleUsePanel({ projectId, bundle }: BundleUsePanelProps) {
  const read = useRead(readBundleUse, { params: { bundleId: bundle.id } });
  return (
    <Panel title="Where used">
      <ReadState read={read} what="Where it is used" skeleton={<Skeleton lines={3} />} refetchError />
      {read.data && <Facts facts={factsOf({ projectId, bundleId: bundle.id, use: read.data })} />}
      {read.data?.channels.length === 0 && <FirstChannel projectId={projectId} bundle={bundle} />}
    </Panel>
  );
}

/** The next step after the first bundle of a class; later bundles reach its channels by a change of bundle. */
function FirstChannel({ projectId, bundle: { id, deviceClass } }: BundleUsePanelProps) {
  const mayCreate = useMay(createChannel);
  const { data: channels } = useRead(listChannels, { query: { projectId, deviceClass, limit: 1 } });
  if (!mayCreate || channels?.total !== 0) return null;
  return (
    <div className={css.next}>
      <Link
        className={buttonClass('plain')}
        to="/projects/$projectId/channels"
        params={{ projectId }}
        search={{ of: deviceClass, bundle: id } as never}
        hash="new"
      >
        Create channel
      </Link>
    </div>
  );
}

interface Given {
  projectId: string;
  bundleId: string;
  use: BundleUse;
}

function factsOf({ projectId, bundleId, use }: Given): (readonly [string, ReactNode])[] {
  const { channels, rollouts, deviceCount, pinnedCount, failures } = use;
  const failed = failures.reduce((sum, { devices }) => sum + devices, 0);
  return [
    ['Channels', <ChannelLinks key="channels" projectId={projectId} channels={channels} />],
    ...(rollouts.length > 0 ? [['Rollouts', `${rollouts.length} not finished`] as const] : []),
    [
      'Devices',
      deviceCount > 0 ? (
        <Link
          key="devices"
          className={css.link}
          to="/projects/$projectId/devices"
          params={{ projectId }}
          search={{ bundle: bundleId } as never}
        >
          {countOf(deviceCount, 'device')} {deviceCount === 1 ? 'runs' : 'run'} it
        </Link>
      ) : (
        'No device runs it'
      ),
    ],
    ...(failed > 0
      ? [
          [
            'Failed',
            <span key="failed" className={css.failed}>
              {countOf(failed, 'device')}:{' '}
              {failures.map(({ code, devices }) => `${code} ${devices}`).join(', ')}
            </span>,
          ] as const,
        ]
      : []),
    ['Pinned', pinnedCount > 0 ? countOf(pinnedCount, 'device') : 'None'],
  ];
}

/** Channels by name, as links. */
export function ChannelLinks({
  projectId,
  channels,
}: {
  projectId: string;
  channels: BundleUse['channels'];
}) {
  if (channels.length === 0) return <>No channel uses it</>;
  return (
    <ul className={css.names}>
      {channels.map(({ id: channelId, name }) => (
        <li key={channelId}>
          <Link
            {...({
              to: '/projects/$projectId/channels/$channelId',
              params: { projectId, channelId },
            } as LinkProps)}
            className={css.link}
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
