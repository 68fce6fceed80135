import { Link } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { deviceFields } from '#console/devices/deviceFields.ts';
import css from '#console/devices/devices.module.css';
import { channelName, channelValue } from '#console/devices/deviceWords.ts';
import { useChannelChoices } from '#console/firmware/channels/useChannelChoices.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { FieldsPanel } from '#console/ui/fields/FieldsPanel.tsx';
import { LazyPiece } from '#console/ui/lazy/LazyPiece.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type Device, editDevice } from '#contract/device.ts';
import { homeFacts } from './homeFacts.tsx';

const Qr = lazy(() => import('#console/ui/Qr.tsx'));

export function IdentityPanel({ device }: { device: Device }) {
  const { id: deviceId, projectId, deviceClass: classId, tag, claimed, creationTime } = device;
  const save = useCall(editDevice);
  return (
    <FieldsPanel
      title="Identity"
      locked={!useMay(editDevice)}
      row={device}
      fields={
        claimed ? { ...deviceFields, claimCode: { ...deviceFields.claimCode, edit: false } } : deviceFields
      }
      facts={[
        ['Tag', tag ? <CopyText key="tag" text={tag} label="Copy tag" /> : '–'],
        ['Id', <CopyText key="id" text={deviceId} wrap label="Copy id" />],
        'name',
        'description',
        [
          'Class',
          <Link
            key="class"
            to="/projects/$projectId/device_classes/$classId/overview"
            params={{ projectId, classId }}
          >
            {classId}
          </Link>,
        ],
        ['Channel', <code key="channel">{channelName(device.channel)}</code>],
        ...homeFacts(device),
        ['Claim code', <ClaimCode key="claim" device={device} />],
        ['Created', <TimeAgo key="made" time={creationTime} />],
      ]}
      useChoices={useChoices}
      toForm={({ tag, name, description, channel, claimCode = '' }) => ({
        tag,
        name,
        description,
        claimCode,
        channel: channelName(channel),
      })}
      send={({ channel, claimCode, ...changed }, ifMatch) => {
        const body = {
          ...changed,
          ...(channel !== undefined && { channel: channelValue(channel.trim()) }),
          ...(claimCode !== undefined && { claimCode: claimCode.trim() || null }),
        };
        return save.mutateAsync({ params: { deviceId }, body, ifMatch });
      }}
      saved="Device saved"
    />
  );
}

const useChoices = ({ projectId, deviceClass }: Device) => ({
  channel: useChannelChoices(projectId, deviceClass),
});

/** Anyone who holds the claim code can link the device to their home. It works once. */
function ClaimCode({ device: { claimCode, claimed } }: { device: Device }) {
  const [asQr, setAsQr] = useState(false);
  if (!claimCode)
    return claimed ? <>Used. The device gets a new one when it is released from its home.</> : <>–</>;
  return (
    <span className={css.claim}>
      <CopyText text={claimCode} label="Copy claim code" />
      <Button variant="quiet" aria-expanded={asQr} onClick={() => setAsQr(!asQr)}>
        {asQr ? 'Hide QR' : 'QR'}
      </Button>
      {asQr && (
        <span className={css.qr}>
          <LazyPiece waiting={<Skeleton lines={4} />}>
            <Qr text={claimCode} label={`Claim code ${claimCode} as a QR code`} />
          </LazyPiece>
        </span>
      )}
    </span>
  );
}
