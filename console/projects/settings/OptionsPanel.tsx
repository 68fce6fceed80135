import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { Choices } from '#console/ui/list/Choices.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import type { Project } from '#contract/project.ts';
import { numberText } from '#rules/text/numberText.ts';
import { OptionRow } from './OptionRow.tsx';
import {
  accountModes,
  faultsOf,
  numbers,
  type OptionsForm,
  optionWords,
  switches,
  toOptionsBody,
  toOptionsForm,
} from './options.ts';
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
        {numbers.map(({ option, name, effect, unit }) => (
          <div key={option} className={css.option}>
            <div>
              <b>{name}</b>
              <p>{effect}</p>
            </div>
            <span>
              {project[option]} {unit}
            </span>
          </div>
        ))}
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
    check: faultsOf,
    toBody: toOptionsBody,
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
        {numbers.map(({ option, name, unit, effect, range, usual }) => (
          <TextField
            key={option}
            label={`${name}, ${unit}`}
            inputMode="numeric"
            hint={`${effect} ${range.min} to ${numberText(range.max)}; ${usual} by default.`}
            {...field(option)}
          />
        ))}
      </div>
    </EditForm>
  );
}
