import { useHashDialog } from '#console/core/urlState.ts';
import { useRefused } from './useRefused.ts';

/** A form with an address. To members whose role does not allow it, a link to it says so. */
export function useHashForm(
  hash: string,
  label: string,
  isAllowed: boolean,
): ReturnType<typeof useHashDialog> {
  const dialog = useHashDialog(hash);
  useRefused(label, dialog.open && !isAllowed, dialog.hide);
  return { ...dialog, open: isAllowed && dialog.open };
}
