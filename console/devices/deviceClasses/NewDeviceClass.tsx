import { useNavigate } from '@tanstack/react-router';
import { useCall } from '#console/core/api.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FieldsDialog, useCreateForm } from '#console/ui/fields/FieldsDialog.tsx';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { deviceClassFields } from './deviceClassFields.ts';

/** Opens the list of devices of the new class, where the next step is to add the first one. */
export function NewDeviceClass({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const create = useCall(createDeviceClass);
  const form = useCreateForm(deviceClassFields, async ({ id, description }) => {
    const body = { id: id.trim(), ...(description && { description }) };
    const { id: classId } = await create.mutateAsync({ params: { projectId }, body });
    toast('Device class added');
    const to = '/projects/$projectId/device_classes/$classId/instances';
    await navigate({ to, params: { projectId, classId }, hash: '', replace: true });
  });
  return (
    <FieldsDialog title="Create device class" form={form} fields={deviceClassFields} onClose={onClose} />
  );
}
