import { type ReactNode, useState } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { ConfirmDelete, type ConfirmDeleteProps } from '#console/ui/dialog/ConfirmDelete.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import type { Endpoint } from '#contract/endpoint.ts';

interface DeleteUnusedProps<E extends Endpoint, Use> extends ConfirmDeleteProps<E> {
  name: string;
  /** Known uses; undefined: none known. */
  use?: Use | undefined;
  /** Describes the uses, those known or those named by the server's refusal. */
  usedBy: (use: Use) => ReactNode;
}

/**
 * Asks before deleting something that may be in use. While it is in use, there is no delete button, as it could not
 * work.
 */
export function DeleteUnused<E extends Endpoint, Use>({
  name,
  use,
  usedBy,
  ...asked
}: DeleteUnusedProps<E, Use>) {
  const [refusedFor, setRefusedFor] = useState<Use>();
  const inUse = refusedFor ?? use;
  if (inUse === undefined)
    return (
      <ConfirmDelete
        {...asked}
        onRefused={({ reason, context }) => {
          if (reason === 'DEPENDENCY_RESTRICTION') setRefusedFor((context ?? {}) as Use);
        }}
      />
    );
  return (
    <Dialog title={`Delete ${asked.noun}`} onClose={asked.onClose}>
      <DialogBody>
        <p>
          <b dir="auto">{name}</b> cannot be deleted because it is currently in use.
        </p>
        {usedBy(inUse)}
      </DialogBody>
      <DialogFooter>
        <Button onClick={asked.onClose}>Close</Button>
      </DialogFooter>
    </Dialog>
  );
}
