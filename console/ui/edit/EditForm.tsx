import type { ReactNode } from 'react';
import { UnsavedChangesGuard } from '#console/ui/dialog/UnsavedChangesGuard.tsx';
import { PanelFooter, panelForm, widePanelForm } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { StaleNotice } from './StaleNotice.tsx';
import type { Edit } from './useEdit.ts';

interface EditFormProps {
  edit: Edit;
  onCancel: () => void;
  verb?: string;
  /** Uses the full width of the panel: rows with a control at the end. */
  wide?: boolean;
  /** The query string says what is edited: the form is also left by navigating within the same screen. */
  isOfAddress?: boolean;
  children: ReactNode;
}

/** The form of a panel: asks before it is left, shows what others changed meanwhile and why a save failed. */
export function EditForm({
  edit,
  onCancel,
  verb,
  wide = false,
  isOfAddress = false,
  children,
}: EditFormProps) {
  const { stale, error, saving, dirty, onSubmit } = edit;
  return (
    <form onSubmit={onSubmit} className={wide ? widePanelForm : panelForm} noValidate>
      <UnsavedChangesGuard dirty={dirty} saving={saving} ofDialog={isOfAddress} />
      {stale && <StaleNotice stale={stale} saving={saving} />}
      <FormError error={error} />
      {children}
      <PanelFooter saving={saving} onCancel={onCancel} {...(verb && { verb })} />
    </form>
  );
}
