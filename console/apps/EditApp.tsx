import { useCall } from '#console/core/api.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { StaleNotice } from '#console/ui/edit/StaleNotice.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { FormFields } from '#console/ui/fields/FormFields.tsx';
import { fieldsOf, wordsOf } from '#console/ui/fields/fields.ts';
import { type App, editApp } from '#contract/app.ts';
import { appFields } from './appFields.ts';

/** Edits the app's basic fields; everything else about it is edited in its own panel. */
export function EditApp({ app, onClose }: { app: App; onClose: () => void }) {
  const save = useCall(editApp);
  const { id: appId, projectId } = app;
  const edit = useEdit({
    row: app,
    words: wordsOf(appFields),
    toForm: ({ id, description }: App) => ({ id, description }),
    send: ({ description = '' }, ifMatch) =>
      save.mutateAsync({ params: { appId }, query: { projectId }, body: { description }, ifMatch }),
    onDone(saved) {
      if (saved) toast('App saved');
      onClose();
    },
  });
  return (
    <CreateDialog title={`Edit ${appId}`} verb="Save app" form={edit} onClose={onClose}>
      {edit.stale && <StaleNotice stale={edit.stale} saving={edit.saving} />}
      <FormFields fields={fieldsOf(appFields, 'edit')} form={edit} autoFocus />
    </CreateDialog>
  );
}
