import { useRead } from '#console/core/api.ts';
import { OnOff } from '#console/projects/settings/OptionRow.tsx';
import type { SectionProps } from '#console/projects/settings/section.ts';
import css from '#console/projects/settings/settings.module.css';
import { useProjectEdit } from '#console/projects/settings/useProjectEdit.ts';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { Toggle } from '#console/ui/form/Toggle.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import type { Project } from '#contract/project.ts';
import { listUserAuthMethods } from '#contract/userAuthMethod.ts';

const name = 'Restrict password sign-in';
const effects = {
  on: 'Users sign in only with a sign-in method or through your back end, never with a password.',
  off: 'Users can sign in with e-mail and password. If you enable this, they can sign in only with a sign-in method or through your back end.',
};

export function PasswordLoginPanel({ project, locked }: SectionProps) {
  return (
    <Panel title={name} locked={locked} edit={done => <RestrictionForm project={project} done={done} />}>
      <div className={css.stack}>
        <OnOff on={project.restrictPasswordLogin} />
        <p className={css.quiet}>{effects[project.restrictPasswordLogin ? 'on' : 'off']}</p>
        {project.restrictPasswordLogin && <NoWayIn projectId={project.id} />}
      </div>
    </Panel>
  );
}

/** Without any sign-in method, the restriction locks everyone out, which nobody expects of a switch. */
function NoWayIn({ projectId }: { projectId: string }) {
  const { data } = useRead(listUserAuthMethods, { params: { projectId } });
  if (data?.length !== 0) return null;
  return (
    <p className={css.warning} role="status">
      There is no sign-in method, so users can sign in only through your back end.
    </p>
  );
}

const words = { restrictPasswordLogin: name };

function RestrictionForm({ project, done }: { project: Project; done: () => void }) {
  const edit = useProjectEdit({
    project,
    words,
    done,
    toForm: ({ restrictPasswordLogin }) => ({ restrictPasswordLogin }),
    toBody: changed => changed,
  });
  return (
    <EditForm edit={edit} onCancel={done}>
      <div className={css.stack}>
        <Toggle
          label={name}
          on={edit.values.restrictPasswordLogin}
          onChange={on => edit.set('restrictPasswordLogin', on)}
        />
        <p className={css.quiet}>{effects[edit.values.restrictPasswordLogin ? 'on' : 'off']}</p>
        {edit.values.restrictPasswordLogin && <NoWayIn projectId={project.id} />}
      </div>
    </EditForm>
  );
}
