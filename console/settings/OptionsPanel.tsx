import { Choices } from '#console/ui/Choices.tsx';
import { EditForm } from '#console/ui/EditForm.tsx';
import { Panel } from '#console/ui/Panel.tsx';
import { TextField } from '#console/ui/TextField.tsx';
import { alertRetentionDefault, type Project } from '#contract/project.ts';
import { OptionRow } from './OptionRow.tsx';
import {
  accountModes,
  alertRetentionRange,
  type OptionsForm,
  optionWords,
  switches,
  toOptionsForm,
} from './options.ts';
import { isWithin } from './passwordPolicy.ts';
import type { SectionProps } from './section.ts';
import css from './settings.module.css';
import { useProjectEdit } from './useProjectEdit.ts';

export function OptionsPanel({ project, locked }: SectionProps) {
  const mode = accountModes.find(({ value }) => value === project.userAccountMode);
  return (
    <Panel
      title="Options"
      editKey
      locked={locked}
      edit={done => <OptionsEdit project={project} done={done} />}
    >
      <div className={css.options}>
        <div className={css.option}>
          <div>
            <b>User accounts</b>
            <p>{mode?.hint}</p>
          </div>
          <span>{mode?.label}</span>
        </div>
        {switches.map(({ option, ...said }) => (
          <OptionRow key={option} {...said} on={project[option]} />
        ))}
        <div className={css.option}>
          <div>
            <b>Alert retention</b>
            <p>Alerts older than this are removed.</p>
          </div>
          <span>{project.alertRetentionPeriod} days</span>
        </div>
      </div>
    </Panel>
  );
}

function OptionsEdit({ project, done }: { project: Project; done: () => void }) {
  const edit = useProjectEdit<OptionsForm>({
    project,
    done,
    words: optionWords,
    toForm: toOptionsForm,
    check: ({ alertRetentionPeriod }) =>
      isWithin(alertRetentionPeriod, alertRetentionRange) ? {} : { alertRetentionPeriod: 'OUT_OF_RANGE' },
    toBody: ({ alertRetentionPeriod, ...changed }) => ({
      ...changed,
      ...(alertRetentionPeriod !== undefined && { alertRetentionPeriod: Number(alertRetentionPeriod) }),
    }),
  });
  const { values, set, field } = edit;
  return (
    <EditForm edit={edit} onCancel={done} wide>
      <Choices
        label="User accounts"
        value={values.userAccountMode}
        onChange={mode => set('userAccountMode', mode)}
        choices={accountModes}
      />
      <div className={css.options}>
        {switches.map(({ option, ...said }) => (
          <OptionRow key={option} {...said} on={values[option]} onChange={on => set(option, on)} />
        ))}
      </div>
      <div className={css.short}>
        <TextField
          label="Alert retention, days"
          inputMode="numeric"
          hint={`Alerts older than this are removed. ${alertRetentionRange.min} to ${alertRetentionRange.max}; ${alertRetentionDefault} unless you choose otherwise.`}
          {...field('alertRetentionPeriod')}
        />
      </div>
    </EditForm>
  );
}
