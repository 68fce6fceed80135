import { useNavigate } from '@tanstack/react-router';
import { useCall } from '#console/core/api.ts';
import { PickUser } from '#console/people/PickUser.tsx';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FormFields } from '#console/ui/fields/FormFields.tsx';
import { faultsIn, fieldsOf } from '#console/ui/fields/fields.ts';
import { useForm } from '#console/ui/form/useForm.ts';
import { createHome } from '#contract/home.ts';
import { homeFields, ownTimeZone } from './homeFields.ts';

const fields = fieldsOf(homeFields, 'create');

/** A home for a user, who becomes its owner. */
export function NewHome({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const create = useCall(createHome);
  const form = useForm({
    initial: { name: '', timeZone: ownTimeZone(), ownerId: '' },
    check: ({ ownerId, ...values }) => ({
      ...faultsIn(fields, values),
      ...(ownerId ? {} : { ownerId: 'REQUIRED' }),
    }),
    async submit({ name, timeZone, ownerId }) {
      const body = { projectId, ownerId, name: name.trim(), timeZone: timeZone.trim() };
      const { id: homeId } = await create.mutateAsync({ body });
      toast('Home created');
      const to = '/projects/$projectId/homes/$homeId';
      await navigate({ to, params: { projectId, homeId }, hash: '', replace: true });
    },
  });
  const owner = form.field('ownerId');
  return (
    <CreateDialog title="Create home" form={form} onClose={onClose}>
      <FormFields fields={fields} form={form} />
      <PickUser
        projectId={projectId}
        label="Owner"
        hint="They can invite others and transfer the home later."
        value={owner.value}
        onChange={owner.onChange}
        error={owner.error}
      />
    </CreateDialog>
  );
}
