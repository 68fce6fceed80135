import { useCall } from '#console/core/api.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import {
  createDeviceView,
  type DeviceView,
  type DeviceViewQuery,
  editDeviceView,
  viewNameMax,
} from '#contract/deviceView.ts';

interface SaveViewProps {
  projectId: string;
  query: DeviceViewQuery;
  views: readonly DeviceView[];
  onClose: () => void;
}

/** Saves the list's current query under a name; an existing view of that name is replaced. */
export function SaveView({ projectId, query, views, onClose }: SaveViewProps) {
  const create = useCall(createDeviceView);
  const edit = useCall(editDeviceView);
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => (name.trim() === '' ? { name: 'REQUIRED' } : {}),
    async submit({ name }) {
      const replaced = named(views, name);
      if (replaced) await edit.mutateAsync({ params: { viewId: replaced.id }, body: { query } });
      else await create.mutateAsync({ body: { projectId, name, query } });
      toast('View saved');
      onClose();
    },
  });
  const replaced = named(views, form.values.name);
  return (
    <CreateDialog
      title="Save view"
      verb={replaced ? 'Replace view' : 'Save view'}
      form={form}
      onClose={onClose}
    >
      <TextField
        label="Name"
        {...form.field('name')}
        max={viewNameMax}
        hint={
          replaced
            ? 'A view with this name already exists. It will be replaced by what you see now.'
            : 'Saves the search, filters and order for everyone in the project.'
        }
      />
    </CreateDialog>
  );
}

const sounds = (name: string) => name.trim().toLowerCase();
const named = (views: readonly DeviceView[], name: string) =>
  views.find(view => sounds(view.name) === sounds(name));
