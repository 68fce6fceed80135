import { useCall } from '#console/core/api.ts';
import type { Words } from '#console/ui/code/differences.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { editProject, type Project } from '#contract/project.ts';

interface ProjectEdit<Values extends object> {
  project: Project;
  toForm: (project: Project) => Values;
  words: Words<Values>;
  check?: (values: Values) => Partial<Record<keyof Values & string, string>>;
  ask?: (changed: Partial<Values>, project: Project) => Promise<boolean>;
  /** The request body: made from the changed fields, or from all of them if they belong together. */
  toBody: (changed: Partial<Values>, values: Values) => BodyOf<typeof editProject>;
  done: () => void;
}

/** The form of some of a project's settings. */
export function useProjectEdit<Values extends object>({
  project,
  toBody,
  done,
  ...form
}: ProjectEdit<Values>) {
  const edit = useCall(editProject);
  return useEdit<Project, Values>({
    ...form,
    row: project,
    send: (changed, ifMatch, values) =>
      edit.mutateAsync({ params: { projectId: project.id }, body: toBody(changed, values), ifMatch }),
    onDone(saved) {
      if (saved) toast('Settings saved');
      done();
    },
  });
}
