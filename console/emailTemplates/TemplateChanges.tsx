import { CodeDiff } from '#console/ui/code/CodeDiff.tsx';
import css from './emailTemplates.module.css';
import type { Content } from './useMailPreview.ts';

interface TemplateChangesProps {
  before: Content;
  after: Content;
  /** What is said when nothing differs. */
  none: string;
}

/** What differs between two wordings of a mail. */
export function TemplateChanges({ before, after, none }: TemplateChangesProps) {
  const fields = [
    { name: 'subject', label: 'Subject' },
    { name: 'body', label: 'Body' },
  ] as const;
  const changed = fields.filter(({ name }) => before[name] !== after[name]);
  if (changed.length === 0) return <p className={css.nothing}>{none}</p>;
  return (
    <div className={css.changes}>
      {changed.map(({ name, label }) => (
        <section key={name} aria-label={`${label}: changes`}>
          <h3>{label}</h3>
          <CodeDiff label={`${label}: changes`} before={before[name]} after={after[name]} />
        </section>
      ))}
    </div>
  );
}
