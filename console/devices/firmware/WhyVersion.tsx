import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { deviceName } from '#console/devices/deviceWords.ts';
import { binarySize } from '#console/firmware/firmwareWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { CodeSample } from '#console/ui/code/CodeSample.tsx';
import { textOfJson } from '#console/ui/code/jsonText.ts';
import { Dialog } from '#console/ui/dialog/Dialog.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { momentText } from '#console/ui/time/dateTexts.ts';
import type { Device } from '#contract/device.ts';
import { type DeviceFirmware, readDeviceTarget, retryDeviceUpdate } from '#contract/deviceFirmware.ts';
import { arrivalText } from './arrivalText.ts';
import { Decisions } from './Decisions.tsx';
import css from './deviceFirmware.module.css';
import { PinActions } from './PinActions.tsx';
import { UpdateHistory } from './UpdateHistory.tsx';
import { UpdateProgress } from './UpdateProgress.tsx';
import { isMoving, updateWords } from './updateWords.ts';
import { useDeviceFirmware } from './useDeviceFirmware.ts';

/** Why a device runs this bundle and not another, when another one comes, and what it ran before. */
export function WhyVersion({ device, onClose }: { device: Device; onClose: () => void }) {
  const read = useDeviceFirmware(device.id);
  const { data } = read;
  return (
    <Dialog title="Why this version?" shape="broadDrawer" onClose={onClose}>
      <div className={css.why}>
        <ReadState read={read} what="The decision" refetchError />
        {data && <Answer device={device} firmware={data} />}
      </div>
    </Dialog>
  );
}

function Answer({ device, firmware }: { device: Device; firmware: DeviceFirmware }) {
  const { current, why } = firmware;
  const { rollout, channel } = why;
  const isComing = rollout !== undefined && why.decidedBy === 'channel';
  const retry = useCall(retryDeviceUpdate);
  const mayRetry = useMay(retryDeviceUpdate);
  return (
    <>
      <p className={css.sentence}>{sentenceOf(device, firmware)}</p>
      {current && (
        <UpdateProgress
          update={current}
          onRetry={mayRetry ? () => retry.mutate({ params: { deviceId: device.id } }) : undefined}
          isRetrying={retry.isPending}
        />
      )}
      <FormError error={retry.error} />
      <section>
        <h3>How it was decided</h3>
        <Decisions why={why} />
      </section>
      <section className={css.arrival}>
        {isComing && (
          <>
            <h3>When does {rollout.bundle.name} arrive?</h3>
            <p className={css.note}>
              {arrivalText(rollout)}{' '}
              {channel?.id && (
                <Link
                  to="/projects/$projectId/channels/$channelId/rollouts/$rolloutId"
                  params={{ projectId: device.projectId, channelId: channel.id, rolloutId: rollout.id }}
                >
                  Open the rollout
                </Link>
              )}
            </p>
          </>
        )}
        <PinActions device={device} firmware={firmware} />
      </section>
      <section>
        <h3>Update history</h3>
        <UpdateHistory device={device} sequence={current?.sequence} />
      </section>
      <Foot deviceId={device.id} current={current} />
    </>
  );
}

/** "Hall thermostat runs winter-24 because its channel, stable, points there." */
function sentenceOf(device: Device, { current, installed, why }: DeviceFirmware): string {
  const name = deviceName(device);
  const { decidedBy, pin, rollout, channel } = why;
  if (!decidedBy) return `${name} has no target: it is not pinned, and its channel has no bundle.`;
  const wanted = current?.bundle?.name;
  const runsIt = installed?.bundle !== undefined && installed.bundle.id === current?.bundle?.id;
  const because = {
    pin: `it is pinned to ${pin?.name}`,
    rollout: `a rollout of ${rollout?.bundle.name ?? wanted} has admitted it`,
    channel: `its channel, ${channel?.name}, points there`,
  }[decidedBy];
  const coming =
    decidedBy === 'channel' && rollout
      ? ` ${rollout.bundle.name} is rolling out, but has not reached this device yet.`
      : '';
  return `${name} ${runsIt ? 'runs' : 'should run'} ${wanted ?? channel?.bundle?.name} because ${because}.${coming}`;
}

function Foot({ deviceId, current }: { deviceId: string; current: DeviceFirmware['current'] }) {
  const [asJson, setAsJson] = useState(false);
  const read = useRead(readDeviceTarget, { params: { deviceId } }, { enabled: asJson });
  if (!current) return null;
  const { sequence, offeredAt, state, stateAt, bytes, deltaBytes } = current;
  const ended =
    isMoving(current) || state === 'waiting'
      ? ''
      : `, ${updateWords[state].word.toLowerCase()} since ${momentText(stateAt)}`;
  return (
    <footer className={css.foot}>
      <p>
        <span className={css.small}>
          Target sequence {sequence}
          {offeredAt ? `, sent ${momentText(offeredAt)}` : state === 'done' ? '' : ', not sent yet'}
          {deltaBytes !== undefined && `, with a delta of ${binarySize(deltaBytes)}`}
          {bytes > 0 && `, ${binarySize(bytes)} downloaded`}
          {ended}
        </span>
        <Button variant="quiet" aria-expanded={asJson} onClick={() => setAsJson(!asJson)}>
          {asJson ? 'Hide the target' : 'Target as JSON'}
        </Button>
      </p>
      {asJson && <ReadState read={read} what="The target" />}
      {asJson && read.data !== undefined && <CodeSample label="Target" text={textOfJson(read.data)} />}
    </footer>
  );
}
