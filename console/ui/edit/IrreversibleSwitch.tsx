import { type ReactNode, useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useCall } from '#console/core/api.ts';
import { Button } from '#console/ui/Button.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { editProject, type Project } from '#contract/project.ts';
import css from './IrreversibleSwitch.module.css';

interface IrreversibleSwitchProps {
  project: Project;
  title: string;
  option: 'forgetDeviceKeys' | 'enablePermissionBasedAccessControl';
  /** The label and explanation of the setting before and after. */
  before: { word: string; text: ReactNode };
  after: { word: string; text: ReactNode };
  /** The label of the button. */
  verb: string;
  /** The immediate effect of pressing it. */
  consequence: ReactNode;
}

/** A setting that an owner switches on once and permanently. */
export function IrreversibleSwitch(props: IrreversibleSwitchProps) {
  const { project, title, option, before, after, verb, consequence } = props;
  const [asking, setAsking] = useState(false);
  // Sent without the revision: the switch goes only one way, so it cannot overwrite anyone's change.
  const edit = useCall(editProject, { onDone: () => toast('Settings saved') });
  const on = project[option];
  const may = project.role === 'owner' && !on;
  const start = () => setAsking(true);
  useActions(may ? [{ label: verb, run: start }] : []);
  const { word, text } = on ? after : before;
  return (
    <Panel title={title} note={on ? undefined : 'owner only · irreversible'}>
      <div className={css.stack}>
        <StatePill shape="plain" tone={on ? 'ok' : 'off'} word={word} />
        <p className={css.quiet}>{text}</p>
        {may && <Button onClick={start}>{verb}</Button>}
        {!on && !may && <p className={css.quiet}>Only an owner of the project can change this.</p>}
        {on && <p className={css.quiet}>This setting cannot be turned off again.</p>}
      </div>
      {asking && (
        <Confirm
          title={`${verb}?`}
          verb={verb}
          onClose={() => setAsking(false)}
          onConfirm={() => edit.mutateAsync({ params: { projectId: project.id }, body: { [option]: true } })}
        >
          <p>{consequence}</p>
          <p>This change is irreversible. Are you sure?</p>
        </Confirm>
      )}
    </Panel>
  );
}
