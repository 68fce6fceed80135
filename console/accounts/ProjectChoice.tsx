import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import { sentenceOf } from '#console/ui/form/fieldSentence.ts';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import css from './ProjectChoice.module.css';

interface ProjectChoiceProps {
  projects: readonly { id: string; name: string }[];
  all: boolean;
  onAll: (all: boolean) => void;
  chosen: readonly string[];
  onChoose: (chosen: readonly string[]) => void;
  error: string | undefined;
}

/** All projects, or some of them. */
export function ProjectChoice({ projects, all, onAll, chosen, onChoose, error }: ProjectChoiceProps) {
  return (
    <>
      <SelectField
        label="Projects"
        options={[
          { value: 'all', label: 'All projects' },
          { value: 'chosen', label: 'Only these' },
        ]}
        hint={all ? 'Including projects you create or join later.' : undefined}
        value={all ? 'all' : 'chosen'}
        onChange={value => onAll(value === 'all')}
      />
      {!all && (
        <fieldset className={css.projects}>
          <legend className="visuallyHidden">Projects the token is for</legend>
          {projects.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={chosen.includes(id)}
              onChange={isChosen =>
                onChoose(isChosen ? [...chosen, id] : chosen.filter(other => other !== id))
              }
            />
          ))}
          {error && (
            <p className={css.error}>
              {sentenceOf(error)} <code>{error}</code>
            </p>
          )}
        </fieldset>
      )}
    </>
  );
}
