import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { hasUnsaved, useUnsaved } from '#console/core/unsaved.ts';
import { Button } from '#console/ui/Button.tsx';
import { Dialog, DialogFooter } from './Dialog.tsx';

interface UnsavedChangesGuardProps {
  dirty: boolean;
  /**
   * True: a save is in progress, and navigates on its own. If the session has ended, the changes are still there to be
   * sent again.
   */
  saving?: boolean;
  /** True: for a dialog or form with an address, which is also left by navigating within the same screen. */
  ofDialog?: boolean;
  /** True: the developer has just decided to leave. */
  isGivenUp?: () => boolean;
  title?: string;
  stay?: string;
  go?: string;
}

/** Asks before a screen with unsaved changes is left: by a link, by Back, by closing the tab or by signing out. */
export function UnsavedChangesGuard({
  dirty,
  saving = false,
  ofDialog = false,
  isGivenUp = () => false,
  title = 'Leave without saving?',
  stay = 'Keep editing',
  go = 'Leave',
}: UnsavedChangesGuardProps) {
  const signingOut = useSigningOut(dirty);
  const asks = () => dirty && !saving && !isGivenUp() && hasUnsaved();
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => asks() && (ofDialog || current.pathname !== next.pathname),
    enableBeforeUnload: asks,
    withResolver: true,
  });
  const answers =
    signingOut ?? (leaving.status === 'blocked' ? { stay: leaving.reset, go: leaving.proceed } : undefined);
  if (!answers) return null;
  return (
    <Dialog title={title} onClose={answers.stay}>
      <DialogFooter>
        <Button onClick={answers.stay}>{stay}</Button>
        <Button variant="danger" onClick={answers.go}>
          {go}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

/** Signing out asks before the session ends. */
function useSigningOut(dirty: boolean) {
  const [answers, setAnswers] = useState<{ stay: () => void; go: () => void }>();
  useUnsaved(
    dirty,
    () =>
      new Promise(resolve => {
        const answered = (may: boolean) => () => {
          setAnswers(undefined);
          resolve(may);
        };
        setAnswers({ stay: answered(false), go: answered(true) });
      }),
  );
  return answers;
}
