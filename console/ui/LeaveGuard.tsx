import { useBlocker } from '@tanstack/react-router';
import { Button } from './Button.tsx';
import { Dialog, DialogFooter } from './Dialog.tsx';

/** Asks before a screen with unsaved changes is left, by a link, by Back or by closing the tab. */
export function LeaveGuard({ dirty }: { dirty: boolean }) {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  if (leaving.status !== 'blocked') return null;
  return (
    <Dialog title="Leave without saving?" onClose={leaving.reset}>
      <DialogFooter>
        <Button onClick={leaving.reset}>Keep editing</Button>
        <Button variant="danger" onClick={leaving.proceed}>
          Leave
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
