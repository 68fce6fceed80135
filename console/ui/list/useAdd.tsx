import { useActions } from '#console/actions.ts';
import { Button, type ButtonVariant } from '#console/ui/Button.tsx';
import { PlusIcon } from '#console/ui/icons/icons.tsx';
import { useHashDialog } from '#console/urlState.ts';

/** How a list adds an item: a dialog with its own address, the key `c`, and the buttons that open it. */
export function useAdd(label: string, may: boolean) {
  const dialog = useHashDialog('new');
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
