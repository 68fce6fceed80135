import { OnOff } from '#console/projects/settings/OptionRow.tsx';
import type { SectionProps } from '#console/projects/settings/section.ts';
import css from '#console/projects/settings/settings.module.css';
import { useProjectEdit } from '#console/projects/settings/useProjectEdit.ts';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { Toggle } from '#console/ui/form/Toggle.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import type { PasswordPolicy, Project } from '#contract/project.ts';
import {
  checkPolicy,
  maxAgeRange,
  minLengthRange,
  type PolicyForm,
  policyWords,
  toPolicy,
  toPolicyForm,
} from './passwordPolicy.ts';

const rules = [
  ['mustHaveUppercase', 'an uppercase letter'],
  ['mustHaveLowercase', 'a lowercase letter'],
  ['mustHaveNumber', 'a digit'],
  ['mustHaveNonAlphanum', 'a character that is neither letter nor digit'],
] as const;

export function PasswordPolicyPanel({ project, locked }: SectionProps) {
  const policy = project.userPasswordPolicy;
  return (
    <Panel
      title="User password policy"
      locked={locked}
      edit={done => <PolicyEdit project={project} done={done} />}
    >
      <div className={css.stack}>
        <OnOff on={policy !== undefined} />
        {policy ? (
          <Facts facts={factsOf(policy)} />
        ) : (
          <p className={css.quiet}>
            The platform’s own rule applies: at least 8 characters, and not one of the most common passwords.
          </p>
        )}
      </div>
    </Panel>
  );
}

function factsOf(policy: PasswordPolicy): [string, string][] {
  const asked = rules.filter(([rule]) => policy[rule]).map(([, word]) => word);
  return [
    ['Length', `at least ${policy.minLength}`],
    ['Must have', asked.join(', ') || 'no particular characters'],
    ['Expires', policy.maxAge === undefined ? 'never' : `after ${policy.maxAge} days`],
  ];
}

function PolicyEdit({ project, done }: { project: Project; done: () => void }) {
  const edit = useProjectEdit<PolicyForm>({
    project,
    done,
    words: policyWords,
    toForm: ({ userPasswordPolicy }) => toPolicyForm(userPasswordPolicy),
    check: checkPolicy,
    toBody: (_, values) => ({ userPasswordPolicy: toPolicy(values) }),
  });
  const { values, set, field } = edit;
  return (
    <EditForm edit={edit} onCancel={done}>
      <div className={css.stack}>
        <Toggle label="Custom policy" on={values.enabled} onChange={on => set('enabled', on)} />
        <p className={css.quiet}>Applies the next time an end user sets a password.</p>
      </div>
      {values.enabled && (
        <>
          <TextField
            label="Minimum length"
            inputMode="numeric"
            hint={`${minLengthRange.min} to ${minLengthRange.max} characters. Length is what makes a password hard to guess.`}
            {...field('minLength')}
          />
          <fieldset className={css.rules}>
            <legend>Must have</legend>
            {rules.map(([rule, word]) => (
              <Checkbox
                key={rule}
                label={capital(word)}
                checked={values[rule]}
                onChange={on => set(rule, on)}
              />
            ))}
          </fieldset>
          <Checkbox label="Passwords expire" checked={values.expires} onChange={on => set('expires', on)} />
          {values.expires && (
            <TextField
              label="Days until a new password is required"
              inputMode="numeric"
              hint={`${maxAgeRange.min} to ${maxAgeRange.max} days.`}
              {...field('maxAge')}
            />
          )}
          <p className={css.quiet}>
            Expiry and character rules are not recommended: they lead people to choose weaker passwords.
          </p>
        </>
      )}
    </EditForm>
  );
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
