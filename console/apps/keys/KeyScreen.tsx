import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useCall, useRead } from '#console/core/api.ts';
import { useHashForm } from '#console/core/membership/useHashForm.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { Button } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { usePress } from '#console/ui/edit/usePress.ts';
import { FieldsPanel } from '#console/ui/fields/FieldsPanel.tsx';
import { RotateIcon } from '#console/ui/icons/icons.tsx';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { deleteKey, editKey, type Key, type KeyUse, readKey, readKeyUse, rotateKey } from '#contract/key.ts';
import { KeyDialogs } from './KeyDialogs.tsx';
import { KeyStatePill } from './KeyStatePill.tsx';
import { keyFields } from './keyFields.ts';
import { RestrictionsPanel } from './RestrictionsPanel.tsx';
import { SecretPanel } from './secret/SecretPanel.tsx';
import { AdviceBand } from './use/AdviceBand.tsx';
import { CapabilitiesPanel } from './use/CapabilitiesPanel.tsx';
import { FromWherePanel } from './use/FromWherePanel.tsx';
import { RefusedPanel } from './use/RefusedPanel.tsx';

const refetchMs = 30_000;

/** One key: what it may do, what it does, and its secret. */
export function KeyScreen() {
  const { projectId, keyId } = useParams({ from: '/shell/projects/$projectId/other_clients/$keyId' });
  const read = useRead(readKey, { params: { keyId } }, { refetchInterval: refetchMs });
  const { data, error } = read;
  if (error?.reason === 'KEY_NOT_FOUND' || (data && data.projectId !== projectId))
    return <NotFound what={`Key ${keyId} does not exist.`} />;
  if (!data) return <ReadState read={read} what="The key" />;
  return (
    <>
      <ReadState read={read} what="The key" refetchError />
      <OneKey keyRow={data} />
    </>
  );
}

function OneKey({ keyRow }: { keyRow: Key }) {
  const { id: keyId, name } = keyRow;
  const [asked, setAsked] = useState<'suspend' | 'delete'>();
  const mayEdit = useMay(editKey);
  const mayRotate = useMay(rotateKey);
  const mayDelete = useMay(deleteKey);
  const rotating = useHashForm('rotate', 'Rotate secret', mayRotate);
  const use = useRead(readKeyUse, { params: { keyId } }, { refetchInterval: refetchMs });
  const save = useCall(editKey);
  const pressed = usePress(keyRow, (body, ifMatch) => save.mutateAsync({ params: { keyId }, body, ifMatch }));
  const resume = async () => {
    if (await pressed.press(() => ({ suspended: false }))) toast('Key resumed');
  };
  const halt = keyRow.suspended
    ? { label: 'Resume key', run: () => void resume() }
    : { label: 'Suspend key', run: () => setAsked('suspend') };
  const rotate = { label: 'Rotate secret', run: rotating.show };
  const remove = { label: 'Delete key', run: () => setAsked('delete') };
  useActions([...(mayRotate ? [rotate] : []), ...(mayEdit ? [halt] : []), ...(mayDelete ? [remove] : [])]);
  return (
    <DetailScreen
      name={name}
      id={keyId}
      state={<KeyStatePill keyRow={keyRow} />}
      actions={
        <>
          {mayEdit && <Button onClick={halt.run}>{keyRow.suspended ? 'Resume' : 'Suspend'}</Button>}
          {mayRotate && (
            <Button variant="primary" icon={<RotateIcon />} onClick={rotate.run}>
              Rotate secret
            </Button>
          )}
        </>
      }
      {...(mayDelete && { menu: [{ ...remove, danger: true }] })}
      above={
        <>
          <FormError error={pressed.error} />
          {mayEdit && use.data && <AdviceBand pressed={pressed} use={use.data} />}
        </>
      }
      side={
        <>
          <SecretPanel keyRow={keyRow} />
          <RestrictionsPanel keyRow={keyRow} locked={!mayEdit} />
          <IdentityPanel keyRow={keyRow} locked={!mayEdit} />
        </>
      }
    >
      <CapabilitiesPanel pressed={pressed} read={use} locked={!mayEdit} />
      <WhereUsed keyRow={keyRow} read={use} />
      <KeyDialogs
        keyRow={keyRow}
        asked={asked ?? (rotating.open ? 'rotate' : undefined)}
        onClose={() => (asked ? setAsked(undefined) : rotating.hide())}
      />
    </DetailScreen>
  );
}

/** On a small screen, the content below stays hidden until the height of these panels is known. */
function WhereUsed({ keyRow, read }: { keyRow: Key; read: { data: KeyUse | undefined; error: unknown } }) {
  if (!read.data) return !read.error && <Skeleton lines={2} unsized />;
  return (
    <>
      <RefusedPanel keyRow={keyRow} refused={read.data.refused} />
      <FromWherePanel addresses={read.data.addresses} />
    </>
  );
}

function IdentityPanel({ keyRow, locked }: { keyRow: Key; locked: boolean }) {
  const { id: keyId, createdAt, createdBy } = keyRow;
  const save = useCall(editKey);
  return (
    <FieldsPanel
      title="Identity"
      locked={locked}
      row={keyRow}
      fields={keyFields}
      facts={[
        'name',
        'description',
        [
          'Created',
          <span key="created">
            <TimeAgo time={createdAt} /> by <span dir="auto">{createdBy}</span>
          </span>,
        ],
      ]}
      toForm={({ name, description }) => ({ name, description })}
      send={(body, ifMatch) => save.mutateAsync({ params: { keyId }, body, ifMatch })}
      saved="Key saved"
    />
  );
}
