import { useNavigate } from '@tanstack/react-router';
import { useCall } from '#console/api.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { TextArea, TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';

/** Lands among the devices of the new class, where the next step is to add the first. */
export function NewDeviceClass({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const create = useCall(createDeviceClass);
  const form = useForm({
    initial: { id: '', description: '' },
    check: ({ id }) => {
      if (!id.trim()) return { id: 'REQUIRED' };
      return chosenIdPattern.test(id.trim()) ? {} : { id: 'INVALID_FORMAT' };
    },
    async submit({ id, description }) {
      const body = { id: id.trim(), ...(description && { description }) };
      const { id: classId } = await create.mutateAsync({ params: { projectId }, body });
      toast('Device class added');
      const to = '/projects/$projectId/device_classes/$classId/instances';
      await navigate({ to, params: { projectId, classId }, hash: '', replace: true });
    },
  });
  return (
    <CreateDialog title="Add device class" form={form} onClose={onClose}>
      <TextField
        label="Id"
        mono
        maxLength={idMax}
        autoComplete="off"
        spellCheck={false}
        placeholder="thermostat"
        hint="Letters, digits, and - or _ in between. It becomes part of your code and firmware and cannot change later."
        {...form.field('id')}
      />
      <TextArea
        label="Description"
        hint="What these devices are, for people who join later."
        maxLength={2000}
        rows={3}
        dir="auto"
        {...form.field('description')}
      />
    </CreateDialog>
  );
}
