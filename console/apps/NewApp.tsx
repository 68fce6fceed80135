import { useNavigate } from '@tanstack/react-router';
import { useCall } from '#console/core/api.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FieldsDialog, useCreateForm } from '#console/ui/fields/FieldsDialog.tsx';
import { createApp } from '#contract/app.ts';
import { appFields } from './appFields.ts';

/** Opens the new app, where the next step is to connect it. */
export function NewApp({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const create = useCall(createApp);
  const form = useCreateForm(appFields, async ({ id, description }) => {
    const body = { id: id.trim(), ...(description && { description }) };
    const { id: appId } = await create.mutateAsync({ params: { projectId }, body });
    toast('App created');
    const to = '/projects/$projectId/apps/$appId';
    await navigate({ to, params: { projectId, appId }, hash: '', replace: true });
  });
  return <FieldsDialog title="Create app" form={form} fields={appFields} onClose={onClose} />;
}
