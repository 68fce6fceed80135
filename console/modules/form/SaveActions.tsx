import { Button } from '#console/ui/Button.tsx';
import css from './form.module.css';
import type { ModuleEdit } from './useModuleEdit.ts';

interface SaveActionsProps {
  edit: ModuleEdit['edit'];
  verb: string;
  disabled: boolean;
}

/** In the head of the screen: whether there are unsaved changes, with save and discard. */
export function SaveActions({ edit, verb, disabled }: SaveActionsProps) {
  if (!edit.dirty && !edit.saving) return null;
  return (
    <>
      <span className={css.saveState} role="status">
        Unsaved changes
      </span>
      <Button onClick={() => edit.reset()}>Discard</Button>
      <Button variant="primary" busy={edit.saving} disabled={disabled} onClick={() => void edit.send()}>
        {verb}
      </Button>
    </>
  );
}
