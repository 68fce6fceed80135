import { type RefObject, useMemo } from 'react';
import { useUrlState } from '#console/core/urlState.ts';
import { htmlLiquidLanguage } from '#console/ui/code/codeLanguages.ts';
import { CodeField, type CodeFieldHandle, type CodeWord } from '#console/ui/form/CodeField.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { type EmailTemplate, emailFilters, type TemplateFault } from '#contract/emailTemplate.ts';
import css from './emailTemplates.module.css';
import { TemplateChanges } from './TemplateChanges.tsx';
import type { Content } from './useMailPreview.ts';

const views = [
  { value: 'edit', label: 'Edit' },
  { value: 'changes', label: 'Changes' },
] as const;

/** Without a word that promises more than the role allows. */
const readOnlyViews = views.map(view => (view.value === 'edit' ? { ...view, label: 'Text' } : view));

interface TemplateDraftProps {
  template: EmailTemplate;
  values: Content;
  faults: readonly TemplateFault[];
  mayEdit: boolean;
  onChange: (field: keyof Content, text: string) => void;
  onSave: () => void;
  editors: RefObject<Editors>;
}

/** The editors on screen, and the one last used, into which a click inserts a variable. */
export interface Editors {
  subject: CodeFieldHandle | null;
  body: CodeFieldHandle | null;
  last: keyof Content;
}

/** Subject and body, or their differences from the default. */
export function TemplateDraft(props: TemplateDraftProps) {
  const { template, values, mayEdit } = props;
  const [url, change] = useUrlState();
  const view = url.view === 'changes' ? 'changes' : 'edit';
  return (
    <Panel
      title="Template"
      note={mayEdit ? undefined : 'You have read-only access'}
      action={
        <Segments
          label="View"
          options={mayEdit ? views : readOnlyViews}
          chosen={view}
          onChange={value => change({ view: value === 'edit' ? undefined : value }, { replace: true })}
        />
      }
    >
      {view === 'edit' ? (
        <Fields {...props} />
      ) : (
        <TemplateChanges before={template.default} after={values} none="Identical to the default." />
      )}
    </Panel>
  );
}

function Fields({ template, values, faults, mayEdit, onChange, onSave, editors }: TemplateDraftProps) {
  const words = useMemo(() => wordsOf(template), [template]);
  const marks = useMemo(() => Map.groupBy(faults, fault => fault.field), [faults]);
  const common = { language: htmlLiquidLanguage, words, readOnly: !mayEdit, onSave };
  return (
    <div className={css.fields}>
      <div className={css.field}>
        <span className={css.label}>Subject</span>
        <CodeField
          {...common}
          ref={handle => {
            editors.current.subject = handle;
          }}
          label="Subject"
          singleLine
          value={values.subject}
          marks={marks.get('subject') ?? none}
          onChange={text => onChange('subject', text)}
          onFocus={() => {
            editors.current.last = 'subject';
          }}
        />
      </div>
      <div className={css.field}>
        <span className={css.label}>Body</span>
        <CodeField
          {...common}
          ref={handle => {
            editors.current.body = handle;
          }}
          label="Body"
          lines={[16, 26]}
          value={values.body}
          marks={marks.get('body') ?? none}
          onChange={text => onChange('body', text)}
          onFocus={() => {
            editors.current.last = 'body';
          }}
        />
        <p className={css.hint}>
          Tab indents; press <kbd>Esc</kbd> and then <kbd>Tab</kbd> to leave the editor.
        </p>
      </div>
    </div>
  );
}

const none: readonly TemplateFault[] = [];

const tags: readonly CodeWord[] = ['if', 'unless', 'elsif', 'else', 'endif', 'endunless'].map(word => ({
  word,
  kind: 'tag',
  description: '',
}));

function wordsOf({ variables }: EmailTemplate): CodeWord[] {
  return [
    ...variables.map(({ name, description }) => ({ word: name, kind: 'variable' as const, description })),
    ...Object.entries(emailFilters).map(([word, description]) => ({
      word,
      kind: 'filter' as const,
      description,
    })),
    ...tags,
  ];
}
