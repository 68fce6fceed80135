import { useNavigate } from '@tanstack/react-router';
import { useCall, useRead } from '#console/core/api.ts';
import { ofOwn, session } from '#console/core/session.ts';
import { Button } from '#console/ui/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FieldsDialog, useCreateForm } from '#console/ui/fields/FieldsDialog.tsx';
import { reasons } from '#contract/problem.ts';
import { createProject, listProjects } from '#contract/project.ts';
import { projectFields } from './projectFields.ts';

const countedMax = 100;

/**
 * Blocked at the account's `maxProjects`, which includes the sample project. The server enforces it; the form only says
 * so early.
 */
export function NewProject({ onClose }: { onClose: () => void }) {
  const { data } = useRead(listProjects, { query: { ...ofOwn(), limit: countedMax } });
  const own = data?.items.filter(({ role }) => role === 'owner').length ?? 0;
  const max = session.get()?.developer.maxProjects ?? Number.POSITIVE_INFINITY;
  if (own < max) return <NewProjectForm onClose={onClose} />;
  return (
    <Dialog title="Create project" onClose={onClose}>
      <DialogBody>
        <p>{reasons.PROJECT_LIMIT_REACHED[1]}</p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
      </DialogFooter>
    </Dialog>
  );
}

function NewProjectForm({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const create = useCall(createProject);
  const form = useCreateForm(projectFields, async ({ name, description }) => {
    const body = { name: name.trim(), ...(description && { description }) };
    const { id } = await create.mutateAsync({ body });
    toast('Project added');
    // Replaces the history entry of the dialog, so that Back leads to the list and not to an empty form.
    await navigate({ to: '/projects/$projectId', params: { projectId: id }, replace: true });
  });
  return <FieldsDialog title="Create project" form={form} fields={projectFields} onClose={onClose} />;
}
