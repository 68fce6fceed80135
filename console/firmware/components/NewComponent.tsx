import { useNavigate } from '@tanstack/react-router';
import { useCall } from '#console/core/api.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FieldsDialog, useCreateForm } from '#console/ui/fields/FieldsDialog.tsx';
import { createComponent } from '#contract/component.ts';
import { componentFields } from './componentFields.ts';

/** Opens the new component, where the next step is its first version. */
export function NewComponent({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const create = useCall(createComponent);
  const form = useCreateForm(componentFields, async ({ name, description }) => {
    const body = { projectId, name: name.trim(), ...(description && { description }) };
    const { id: componentId } = await create.mutateAsync({ body });
    toast('Component created');
    const to = '/projects/$projectId/components/$componentId';
    await navigate({ to, params: { projectId, componentId }, hash: '', replace: true });
  });
  return <FieldsDialog title="Create component" form={form} fields={componentFields} onClose={onClose} />;
}
