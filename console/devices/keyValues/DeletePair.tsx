import type { ReactNode } from 'react';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';

interface DeletePairProps {
  pairKey: string;
  onDelete: () => Promise<unknown>;
  onClose: () => void;
  /** The consequences of the deletion. */
  children: ReactNode;
}

export function DeletePair({ pairKey, onDelete, onClose, children }: DeletePairProps) {
  async function remove() {
    await onDelete();
    toast('Key-value pair deleted');
  }
  return (
    <Confirm title="Delete key-value pair" verb="Delete key-value pair" onConfirm={remove} onClose={onClose}>
      <p>
        Do you really want to delete key-value pair <code>{pairKey}</code>?
      </p>
      {children}
    </Confirm>
  );
}
