import { useRead } from '#console/api.ts';
import css from '#console/devices/devices.module.css';
import { channelName } from '#console/devices/deviceWords.ts';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { Progress } from '#console/ui/state/Progress.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import type { Device } from '#contract/device.ts';
import type { InstalledFrame, ProgressFrame } from '#contract/deviceProtocol.ts';
import { readDeviceState } from '#contract/deviceState.ts';

/** What the device says runs on it, and how far an installation is. */
export function FirmwarePanel({ device }: { device: Device }) {
  const read = useRead(readDeviceState, { params: { deviceId: device.id } });
  const { data } = read;
  const installed = data?.installed as InstalledFrame | undefined;
  const bundle = installed?.bundleId ?? device.bundleInstalled;
  // While it is not known its line is there, so that nothing below it moves.
  const bundleFact = bundle ? <code key="bundle">{bundle}</code> : data ? 'Not reported' : '…';
  return (
    <Panel
      title="Firmware"
      note={
        data?.installedAt && (
          <>
            reported <TimeAgo time={data.installedAt} />
          </>
        )
      }
    >
      <div className={css.stack}>
        <Facts
          facts={[
            ['Channel', <code key="channel">{channelName(device.channel)}</code>],
            ...(read.error && !data ? [] : ([['Bundle', bundleFact]] as const)),
            ...(installed?.components ?? []).map(
              ({ component, version }) => [component, <code key={component}>{version}</code>] as const,
            ),
          ]}
        />
        <ReadState read={read} what="Firmware on the device" skeleton={null} />
        {data?.progress !== undefined && (
          <Installation progress={data.progress as ProgressFrame} at={data.progressAt} />
        )}
      </div>
    </Panel>
  );
}

const words: Record<ProgressFrame['state'], string> = {
  accepted: 'Accepted',
  downloading: 'Downloading',
  verifying: 'Verifying',
  ready: 'Ready to install',
  installing: 'Installing',
  rebooting: 'Rebooting',
  confirming: 'Confirming',
  done: 'Installed',
  failed: 'Installation failed',
  declined: 'Declined by the device',
  postponed: 'Postponed by the device',
};

function Installation({ progress, at }: { progress: ProgressFrame; at: string | undefined }) {
  const { state, percent, component, error } = progress;
  const isOver = state === 'done' || state === 'failed' || state === 'declined';
  const label = [words[state], component, percent !== undefined && !isOver && `${Math.round(percent)}%`]
    .filter(Boolean)
    .join(' ');
  return (
    <div>
      <Progress
        label={error ? `${label}: ${error}` : label}
        part={isOver ? 1 : percent === undefined ? undefined : percent / 100}
        tone={state === 'done' ? 'ok' : isOver ? 'danger' : 'busy'}
        action={
          <span className={css.note}>
            <TimeAgo time={at} />
          </span>
        }
      />
    </div>
  );
}
