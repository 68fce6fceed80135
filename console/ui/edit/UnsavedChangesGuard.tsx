import { useBlocker } from '@tanstack/react-router';
import { Button } from '#console/ui/Button.tsx';
import { Dialog, DialogFooter } from '#console/ui/dialog/Dialog.tsx';

interface UnsavedChangesGuardProps {
  dirty: boolean;
  /** True: a dialog that is an address is left by going elsewhere on the same screen. */
  ofDialog?: boolean;
  title?: string;
  stay?: string;
  go?: string;
}

/** Asks before a screen with unsaved changes is left, by a link, by Back or by closing the tab. */
export function UnsavedChangesGuard({
  dirty,
  ofDialog = false,
  title = 'Leave without saving?',
  stay = 'Keep editing',
  go = 'Leave',
}: UnsavedChangesGuardProps) {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && (ofDialog || current.pathname !== next.pathname),
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  if (leaving.status !== 'blocked') return null;
  return (
    <Dialog title={title} onClose={leaving.reset}>
      <DialogFooter>
        <Button onClick={leaving.reset}>{stay}</Button>
        <Button variant="danger" onClick={leaving.proceed}>
          {go}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
