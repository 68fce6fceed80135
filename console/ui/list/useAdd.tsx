import { useActions } from '#console/core/actions.ts';
import { useHashForm } from '#console/core/membership/useHashForm.ts';
import { Button, type ButtonVariant } from '#console/ui/Button.tsx';
import { PlusIcon } from '#console/ui/icons/icons.tsx';

/**
 * How a list adds an item: a dialog with its own address, the key `c`, and the buttons that open it. Without `isOffered`,
 * nobody can add to this list, whatever their role.
 */
export function useAdd(label: string, mayAdd: boolean, isOffered = true) {
  const may = mayAdd && isOffered;
  const dialog = useHashForm('new', label, mayAdd);
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
