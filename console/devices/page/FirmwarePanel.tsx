import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useCall } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { useHashDialog } from '#console/core/urlState.ts';
import { channelName } from '#console/devices/deviceWords.ts';
import { arrivalText } from '#console/devices/firmware/arrivalText.ts';
import css from '#console/devices/firmware/deviceFirmware.module.css';
import { UpdateProgress } from '#console/devices/firmware/UpdateProgress.tsx';
import { useDeviceFirmware } from '#console/devices/firmware/useDeviceFirmware.ts';
import { WhyVersion } from '#console/devices/firmware/WhyVersion.tsx';
import { BundleLink } from '#console/firmware/BundleLink.tsx';
import { Button } from '#console/ui/Button.tsx';
import { FirmwareIcon } from '#console/ui/icons/icons.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Device } from '#contract/device.ts';
import { type DeviceFirmware, retryDeviceUpdate } from '#contract/deviceFirmware.ts';

/** What runs on the device, what is on its way to it, and why. */
export function FirmwarePanel({ device }: { device: Device }) {
  const read = useDeviceFirmware(device.id);
  const { data } = read;
  const why = useHashDialog('why');
  const retry = useCall(retryDeviceUpdate);
  const mayRetry = useMay(retryDeviceUpdate);
  useActions([{ label: 'Why this version?', run: why.show }]);
  return (
    <Panel
      title="Firmware"
      action={
        <Button variant="quiet" onClick={why.show}>
          Why this version?
        </Button>
      }
    >
      <div className={css.panel}>
        <Facts facts={factsOf(device, data, read.error !== null)} />
        <ReadState read={read} what="Firmware on the device" skeleton={null} />
        <FormError error={retry.error} />
        {data?.current && (
          <UpdateProgress
            update={data.current}
            onRetry={mayRetry ? () => retry.mutate({ params: { deviceId: device.id } }) : undefined}
            isRetrying={retry.isPending}
          />
        )}
        {data && <Coming firmware={data} />}
      </div>
      {why.open && <WhyVersion device={device} onClose={why.hide} />}
    </Panel>
  );
}

function factsOf(
  device: Device,
  firmware: DeviceFirmware | undefined,
  hasFailed: boolean,
): [string, ReactNode][] {
  const { projectId, channel } = device;
  const { installed, why } = firmware ?? {};
  const bundle = installed?.bundle;
  // Holds the line while the bundle is loading, so that nothing below moves.
  const runs = bundle ? (
    <BundleLink key="bundle" {...{ projectId, bundle }} />
  ) : firmware ? (
    installed ? (
      'not one of your bundles'
    ) : (
      'Not reported'
    )
  ) : (
    '…'
  );
  const channelId = why?.channel?.id;
  const follows = channelId ? (
    <Link key="channel" to="/projects/$projectId/channels/$channelId" params={{ projectId, channelId }}>
      {channelName(channel)}
    </Link>
  ) : (
    channelName(channel)
  );
  return [
    ...(hasFailed && !firmware ? [] : ([['Bundle', runs]] as [string, ReactNode][])),
    ['Channel', follows],
    ...(why?.pin ? ([['Pinned to', why.pin.name]] as [string, ReactNode][]) : []),
    ...(installed?.components ?? []).map(({ component, version }): [string, ReactNode] => [
      component,
      <code key={component}>{version}</code>,
    ]),
    ...(installed ? ([['Reported', <TimeAgo key="at" time={installed.at} />]] as [string, ReactNode][]) : []),
  ];
}

/** A rollout that has not reached the device yet. */
function Coming({ firmware: { why } }: { firmware: DeviceFirmware }) {
  const { rollout, channel, decidedBy } = why;
  if (!rollout || decidedBy !== 'channel') return null;
  return (
    <p className={css.coming}>
      <FirmwareIcon />
      <span>
        {rollout.bundle.name} is rolling out to {channel?.name}. {arrivalText(rollout)}
      </span>
    </p>
  );
}
