import { useActions } from '#console/actions.ts';
import { useRefused } from '#console/membership/useRefused.ts';
import { Button, type ButtonVariant } from '#console/ui/Button.tsx';
import { PlusIcon } from '#console/ui/icons/icons.tsx';
import { useHashDialog } from '#console/urlState.ts';

/**
 * How a list adds an item: a dialog with its own address, the key `c`, and the buttons that open it. Without `isOffered`,
 * nobody can add to this list, whatever their role.
 */
export function useAdd(label: string, mayAdd: boolean, isOffered = true) {
  const may = mayAdd && isOffered;
  const dialog = useHashDialog('new');
  useRefused(label, dialog.open && !mayAdd, dialog.hide);
  useActions(may ? [{ label, keys: 'c', run: dialog.show }] : []);
  return {
    open: may && dialog.open,
    close: dialog.hide,
    button: (variant?: ButtonVariant) =>
      may && (
        <Button {...(variant && { variant })} icon={<PlusIcon />} onClick={dialog.show}>
          {label}
        </Button>
      ),
  };
}
