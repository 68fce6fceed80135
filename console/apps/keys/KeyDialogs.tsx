import { useCall } from '#console/core/api.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { ConfirmDelete } from '#console/ui/dialog/ConfirmDelete.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { deleteKey, editKey, type Key } from '#contract/key.ts';
import { RotateSecret } from './secret/RotateSecret.tsx';

interface KeyDialogsProps {
  keyRow: Key;
  asked: 'suspend' | 'rotate' | 'delete' | undefined;
  onClose: () => void;
}

/** The dialog that opens before something is done to a key. */
export function KeyDialogs({ keyRow, asked, onClose }: KeyDialogsProps) {
  if (asked === 'rotate') return <RotateSecret keyRow={keyRow} onClose={onClose} />;
  if (asked === 'suspend') return <SuspendKey keyRow={keyRow} onClose={onClose} />;
  if (asked === 'delete') return <DeleteKey keyRow={keyRow} onClose={onClose} />;
  return null;
}

type DialogProps = Omit<KeyDialogsProps, 'asked'>;

function SuspendKey({ keyRow: { id: keyId, name, lastUsedAt }, onClose }: DialogProps) {
  const save = useCall(editKey, { onDone: () => toast('Key suspended') });
  return (
    <Confirm
      title="Suspend key"
      verb="Suspend key"
      onConfirm={() => save.mutateAsync({ params: { keyId }, body: { suspended: true } })}
      onClose={onClose}
    >
      <p>
        Calls with <b dir="auto">{name}</b> are refused until you resume it.
      </p>
      <LastUse time={lastUsedAt} />
    </Confirm>
  );
}

function DeleteKey({ keyRow: { id: keyId, projectId, name, lastUsedAt }, onClose }: DialogProps) {
  return (
    <ConfirmDelete
      noun="key"
      endpoint={deleteKey}
      input={{ params: { keyId } }}
      leaveTo={{ to: '/projects/$projectId/other_clients', params: { projectId } }}
      onClose={onClose}
    >
      <p>
        Do you really want to delete client <b dir="auto">{name}</b>?
      </p>
      <p>Its secret stops working at once. Its calls stay in the logs.</p>
      <LastUse time={lastUsedAt} />
    </ConfirmDelete>
  );
}

function LastUse({ time }: { time: string | undefined }) {
  if (time === undefined) return <p>It was never used.</p>;
  return (
    <p>
      It was last used <TimeAgo time={time} />.
    </p>
  );
}
