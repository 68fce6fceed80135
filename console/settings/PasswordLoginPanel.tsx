import { EditForm } from '#console/ui/EditForm.tsx';
import { Panel } from '#console/ui/Panel.tsx';
import { Toggle } from '#console/ui/Toggle.tsx';
import type { Project } from '#contract/project.ts';
import { OnOff } from './OptionRow.tsx';
import type { SectionProps } from './section.ts';
import css from './settings.module.css';
import { useProjectEdit } from './useProjectEdit.ts';

const name = 'Restrict password login';
const effect =
  'When enabled, users come in only by a sign-in method or through your back end, never by password.';

export function PasswordLoginPanel({ project, locked }: SectionProps) {
  return (
    <Panel
      title="Password login restriction"
      locked={locked}
      edit={done => <RestrictionForm project={project} done={done} />}
    >
      <div className={css.stack}>
        <OnOff on={project.restrictPasswordLogin} />
        <p className={css.quiet}>{effect}</p>
      </div>
    </Panel>
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
        <p className={css.quiet}>{effect}</p>
      </div>
    </EditForm>
  );
}
