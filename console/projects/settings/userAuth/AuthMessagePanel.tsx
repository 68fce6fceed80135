import type { SectionProps } from '#console/projects/settings/section.ts';
import css from '#console/projects/settings/settings.module.css';
import { useProjectEdit } from '#console/projects/settings/useProjectEdit.ts';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { TextArea } from '#console/ui/form/TextField.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import type { Project } from '#contract/project.ts';

const messageMax = 4000;

export function AuthMessagePanel({ project, locked }: SectionProps) {
  return (
    <Panel
      title="Authentication message"
      editKey
      locked={locked}
      edit={done => <MessageForm project={project} done={done} />}
    >
      {project.userAuthMessage ? (
        <p className={css.message} dir="auto">
          {project.userAuthMessage}
        </p>
      ) : (
        <p className={css.quiet}>No message yet. Apps show it to your users on their sign-in screen.</p>
      )}
    </Panel>
  );
}

const words = { userAuthMessage: 'Authentication message' };

function MessageForm({ project, done }: { project: Project; done: () => void }) {
  const edit = useProjectEdit({
    project,
    words,
    done,
    toForm: ({ userAuthMessage }) => ({ userAuthMessage }),
    toBody: changed => changed,
  });
  const { length } = edit.values.userAuthMessage;
  return (
    <EditForm edit={edit} onCancel={done}>
      <TextArea
        label="Message"
        hint="Plain text; web addresses become links. Apps show it on their sign-in screen."
        aside={length > messageMax * 0.9 && `${messageMax - length} left`}
        autoFocus
        rows={5}
        maxLength={messageMax}
        dir="auto"
        {...edit.field('userAuthMessage')}
      />
    </EditForm>
  );
}
