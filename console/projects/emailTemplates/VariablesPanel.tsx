import fold from '#console/ui/screen/Disclosure.module.css';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { type EmailTemplate, emailFilters } from '#contract/emailTemplate.ts';
import css from './emailTemplates.module.css';

interface VariablesPanelProps {
  variables: EmailTemplate['variables'];
  /** Inserts a variable at the cursor; absent for members who may not edit. */
  onInsert: ((text: string) => void) | undefined;
}

/** What the e-mail can contain. A click inserts it. */
export function VariablesPanel({ variables, onInsert }: VariablesPanelProps) {
  const conditional = variables.find(({ name }) => name === 'inviter.name') ?? variables.at(1);
  return (
    <Panel title="Variables" note={onInsert && 'click to insert at the cursor'} flush>
      <ul className={css.variables}>
        {variables.map(({ name, description, sample }) => (
          <li key={name}>
            <Insertable text={`{{ ${name} }}`} onInsert={onInsert} />
            <span className={css.about}>{description}</span>
            <span className={css.sample}>{sample}</span>
          </li>
        ))}
      </ul>
      <details className={css.more}>
        <summary className={fold.disclosure}>Conditions and filters</summary>
        <p>Show a section only if a value is set:</p>
        {conditional && (
          <Insertable text={`{% if ${conditional.name} %}…{% else %}…{% endif %}`} onInsert={onInsert} />
        )}
        <p>Apply filters to a value:</p>
        {Object.values(emailFilters).map(example => (
          <Insertable key={example} text={`{{ ${example} }}`} onInsert={onInsert} />
        ))}
      </details>
    </Panel>
  );
}

function Insertable({ text, onInsert }: { text: string; onInsert: VariablesPanelProps['onInsert'] }) {
  if (!onInsert) return <code className={css.insertable}>{text}</code>;
  return (
    <button
      type="button"
      className={css.insertable}
      aria-label={`Insert ${text}`}
      // Keeps the editor's cursor.
      onMouseDown={event => event.preventDefault()}
      onClick={() => onInsert(text)}
    >
      {text}
    </button>
  );
}
