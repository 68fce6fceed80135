import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useCall } from '#console/api.ts';
import css from '#console/devices/devices.module.css';
import { channelName, channelValue } from '#console/devices/deviceWords.ts';
import { useMay } from '#console/membership/useMay.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { TextArea, TextField } from '#console/ui/form/TextField.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import { type Device, editDevice } from '#contract/device.ts';

const Qr = lazy(() => import('#console/ui/Qr.tsx'));

export function IdentityPanel({ device }: { device: Device }) {
  const { projectId, deviceClass: classId, tag, name, description, channel, creationTime } = device;
  const mayEdit = useMay(editDevice);
  return (
    <Panel
      title="Identity"
      editKey
      locked={!mayEdit}
      edit={done => <IdentityForm device={device} done={done} />}
    >
      <Facts
        facts={[
          ['Tag', tag ? <CopyText key="tag" text={tag} label="Copy tag" /> : '–'],
          ['Name', <Text key="name" text={name} />],
          ['Description', <Text key="description" text={description} />],
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
          ['Channel', <code key="channel">{channelName(channel)}</code>],
          ['Claim code', <ClaimCode key="claim" device={device} />],
          ['Created', <TimeAgo key="made" time={creationTime} />],
        ]}
      />
    </Panel>
  );
}

function Text({ text }: { text: string }) {
  return <span dir="auto">{text || '–'}</span>;
}

/** Whoever holds it takes the device home; once used it is gone. */
function ClaimCode({ device: { claimCode, claimed } }: { device: Device }) {
  const [asQr, setAsQr] = useState(false);
  if (!claimCode) return claimed ? <>Used: the device is claimed</> : <>–</>;
  return (
    <span className={css.claim}>
      <CopyText text={claimCode} label="Copy claim code" />
      <Button variant="quiet" aria-expanded={asQr} onClick={() => setAsQr(!asQr)}>
        {asQr ? 'Hide QR' : 'QR'}
      </Button>
      {asQr && (
        <span className={css.qr}>
          <Suspense fallback={<Skeleton lines={4} />}>
            <Qr text={claimCode} label={`Claim code ${claimCode} as a QR code`} />
          </Suspense>
        </span>
      )}
    </span>
  );
}

const words = {
  tag: 'Tag',
  name: 'Name',
  description: 'Description',
  channel: 'Channel',
  claimCode: 'Claim code',
};

function IdentityForm({ device, done }: { device: Device; done: () => void }) {
  const save = useCall(editDevice);
  const edit = useEdit({
    row: device,
    words,
    toForm: ({ tag, name, description, channel, claimCode = '' }: Device) => ({
      tag,
      name,
      description,
      channel: channelName(channel),
      claimCode,
    }),
    check: ({ channel }) => (channel.trim() ? {} : { channel: 'REQUIRED' }),
    send: ({ channel, claimCode, ...changed }, ifMatch) =>
      save.mutateAsync({
        params: { deviceId: device.id },
        body: {
          ...changed,
          ...(channel !== undefined && { channel: channelValue(channel.trim()) }),
          ...(claimCode !== undefined && { claimCode: claimCode.trim() || null }),
        },
        ifMatch,
      }),
    onDone(saved) {
      if (saved) toast('Device saved');
      done();
    },
  });
  const { field } = edit;
  const common = { autoComplete: 'off', spellCheck: false } as const;
  return (
    <EditForm edit={edit} onCancel={done}>
      <TextField label="Tag" mono maxLength={100} autoFocus {...common} {...field('tag')} />
      <TextField label="Name" maxLength={200} dir="auto" autoComplete="off" {...field('name')} />
      <TextArea label="Description" rows={2} maxLength={2000} dir="auto" {...field('description')} />
      <TextField label="Channel" mono maxLength={63} {...common} {...field('channel')} />
      {!device.claimed && (
        <TextField
          label="Claim code"
          mono
          maxLength={32}
          hint="6 to 32 letters and digits. Leave empty to generate a new one."
          {...common}
          {...field('claimCode')}
        />
      )}
    </EditForm>
  );
}
