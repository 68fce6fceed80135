import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useSubmit } from '#console/core/api.ts';
import { invalidate } from '#console/core/client.ts';
import { leavingItems } from '#console/core/leavingProject.ts';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useIsOnScreen } from '#console/ui/dialog/useIsOnScreen.ts';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import { personName } from '#console/ui/links/personWords.ts';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { pathOf } from '#contract/client.ts';
import { type Home, homesOfUserMax, listHomes, readHome } from '#contract/home.ts';
import { deleteUser } from '#contract/user.ts';
import { OwnedHomes } from './OwnedHomes.tsx';
import type { ActedOn } from './userActs.ts';

interface EraseUserProps {
  projectId: string;
  user: ActedOn;
  onClose: () => void;
}

/** Asks before a user is erased. Homes that they own have to be transferred first, or are deleted with them. */
export function EraseUser({ user, ...props }: EraseUserProps) {
  const read = useRead(listHomes, { query: { userId: user.id, limit: homesOfUserMax } });
  // The homes when the dialog opened: changes made by the erasure must not close it.
  const [known, setKnown] = useState<readonly Home[]>();
  if (!known && read.data && !read.isPlaceholderData)
    setKnown(read.data.items.filter(({ owner }) => owner.id === user.id));
  if (known) return <EraseQuestion {...props} user={user} owned={known} />;
  return (
    <Dialog title="Delete user" onClose={props.onClose}>
      <DialogBody>
        <ReadState read={read} what="The user’s homes" skeleton={<Skeleton lines={3} />} />
      </DialogBody>
      <DialogFooter>
        <Button onClick={props.onClose}>Cancel</Button>
      </DialogFooter>
    </Dialog>
  );
}

function EraseQuestion({ projectId, user, owned, onClose }: EraseUserProps & { owned: readonly Home[] }) {
  const navigate = useNavigate();
  const isOnScreen = useIsOnScreen();
  const submit = useSubmit();
  const [withHomes, setWithHomes] = useState(false);
  const name = <b dir="auto">{personName(user)}</b>;
  const devices = owned.reduce((sum, { deviceCount }) => sum + deviceCount, 0);
  const homes = owned.length === 1 ? 'the home' : `the ${owned.length} homes`;
  async function erase() {
    const params = { userId: user.id };
    const homesToo = withHomes ? owned.map(({ id: homeId }) => pathOf(readHome, { homeId })) : [];
    await leavingItems([pathOf(deleteUser, params), ...homesToo], async () => {
      await submit(deleteUser, { params, query: withHomes ? { homes: 'delete' } : {} });
      // Leave first: the user can no longer be read.
      if (isOnScreen())
        await navigate({ to: '/projects/$projectId/users', params: { projectId }, replace: true });
    });
    void invalidate(deleteUser, params);
    toast('User deleted');
  }
  if (owned.length > 0 && !withHomes)
    return (
      <Dialog title="Delete user" onClose={onClose}>
        <DialogBody>
          <p>
            {name} owns {owned.length === 1 ? 'a home' : countOf(owned.length, 'home')}. Transfer{' '}
            {owned.length === 1 ? 'it' : 'them'} to another member first:
          </p>
          <OwnedHomes projectId={projectId} homes={owned} />
          <DeleteHomesAsWell checked={false} onChange={setWithHomes} {...{ homes, devices }} />
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Close</Button>
        </DialogFooter>
      </Dialog>
    );
  return (
    <Confirm
      title="Delete user"
      verb={withHomes ? `Delete user and ${owned.length === 1 ? 'home' : 'homes'}` : 'Delete user'}
      {...(withHomes && { typedName: personName(user) })}
      onConfirm={erase}
      onClose={onClose}
    >
      <p>Do you really want to delete user {name}?</p>
      <p>
        The account, its sessions and memberships are erased, and so are the name and e-mail address in the
        logs; audit log entries keep the id. This cannot be undone. Export the data first if you may need it.
      </p>
      {owned.length > 0 && (
        <>
          <OwnedHomes projectId={projectId} homes={owned} />
          <DeleteHomesAsWell checked onChange={setWithHomes} {...{ homes, devices }} />
        </>
      )}
    </Confirm>
  );
}

interface DeleteHomesAsWellProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  homes: string;
  devices: number;
}

function DeleteHomesAsWell({ checked, onChange, homes, devices }: DeleteHomesAsWellProps) {
  return (
    <Checkbox
      label={`Also delete ${homes}`}
      checked={checked}
      onChange={onChange}
      hint={
        devices === 0
          ? 'There are no devices to release.'
          : `${countOf(devices, 'device is', 'devices are')} wiped and released, each with a new claim code. Other members lose access.`
      }
    />
  );
}
