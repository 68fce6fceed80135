import type { ReactNode } from 'react';
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
  optionGroups,
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
      <Groups>
        {option => {
          if (option === 'userAccountMode')
            return <Fact key={option} name="User accounts" effect={mode?.hint} value={mode?.label} />;
          const onOff = switches.find(one => one.option === option);
          if (onOff) return <OptionRow key={option} {...onOff} on={project[onOff.option]} />;
          const number = numbers.find(one => one.option === option);
          return (
            number && <Fact key={option} {...number} value={`${project[number.option]} ${number.unit}`} />
          );
        }}
      </Groups>
    </Panel>
  );
}

type Option = (typeof optionGroups)[number]['options'][number];

/** The options under the heading of what they are about. */
function Groups({ children }: { children: (option: Option) => ReactNode }) {
  return optionGroups.map(({ title, options }) => (
    <section key={title} className={css.group} aria-label={title}>
      <h3>{title}</h3>
      <div className={css.options}>{options.map(children)}</div>
    </section>
  ));
}

interface FactProps {
  name: string;
  effect: ReactNode;
  value: ReactNode;
}

function Fact({ name, effect, value }: FactProps) {
  return (
    <div className={css.option}>
      <div>
        <b>{name}</b>
        <p>{effect}</p>
      </div>
      <span>{value}</span>
    </div>
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
      <Groups>
        {option => {
          if (option === 'userAccountMode')
            return (
              <Choices
                key={option}
                label="User accounts"
                value={values.userAccountMode}
                onChange={mode => set('userAccountMode', mode)}
                choices={accountModes}
              />
            );
          const onOff = switches.find(one => one.option === option);
          if (onOff)
            return (
              <OptionRow
                key={option}
                {...onOff}
                on={values[onOff.option]}
                onChange={on => set(onOff.option, on)}
              />
            );
          const number = numbers.find(one => one.option === option);
          return number && <NumberOption key={option} option={number} field={field(number.option)} />;
        }}
      </Groups>
    </EditForm>
  );
}

interface NumberOptionProps {
  option: (typeof numbers)[number];
  field: { name: string; value: string; onChange: (value: string) => void; error: string | undefined };
}

function NumberOption({ option: { name, unit, effect, range, usual }, field }: NumberOptionProps) {
  return (
    <div className={css.number}>
      <TextField
        label={`${name}, ${unit}`}
        inputMode="numeric"
        hint={`${effect} ${range.min} to ${numberText(range.max)}; ${usual} by default.`}
        {...field}
      />
    </div>
  );
}
