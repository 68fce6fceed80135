import { type ReactNode, useState } from 'react';
import { showNotSaved } from '#console/core/submit/notSaved.ts';
import { useIsHere } from '#console/core/useIsHere.ts';
import { Button } from '#console/ui/Button.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { CallFailed } from '#contract/client.ts';
import { Dialog, DialogBody, DialogFooter } from './Dialog.tsx';

interface ConfirmProps {
  title: string;
  /** What will be lost and what depends on it. */
  children?: ReactNode;
  /** The verb and its noun: "Delete device". Never "OK". */
  verb: string;
  danger?: boolean;
  /** Has to be typed before the button works. */
  typedName?: string;
  onConfirm: () => Promise<unknown> | undefined;
  onClose: () => void;
}

/** Stays open and shows the reason if the call fails. */
export function Confirm({
  title,
  children,
  verb,
  danger = true,
  typedName,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const { busy, error, confirm } = useConfirm(onConfirm, onClose);

  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault();
          event.stopPropagation();
          void confirm();
        }}
      >
        {(children || typedName || error) && (
          <DialogBody>
            {children}
            {typedName !== undefined && (
              <TextField
                label={`Type ${typedName} to confirm`}
                value={typed}
                onChange={setTyped}
                autoComplete="off"
                spellCheck={false}
              />
            )}
            <FormError error={error} />
          </DialogBody>
        )}
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant={danger ? 'danger' : 'primary'}
            busy={busy}
            disabled={typedName !== undefined && asSeen(typed) !== asSeen(typedName)}
          >
            {verb}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

/** Allows one press at a time; keeps a failure to show it. */
function useConfirm(onConfirm: ConfirmProps['onConfirm'], onClose: () => void) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallFailed>();
  const isHere = useIsHere();

  async function confirm() {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      if (isHere()) onClose();
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      if (!isHere()) return showNotSaved(failure);
      setError(failure);
      setBusy(false);
    }
  }
  return { busy, error, confirm };
}

/** Treats several spaces as one, as they look the same. */
function asSeen(name: string): string {
  return name.trim().replace(/\s+/g, ' ');
}
