import { useRef } from 'react';
import { useCall } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { UnsavedChangesGuard } from '#console/ui/dialog/UnsavedChangesGuard.tsx';
import { Hint } from '#console/ui/Hint.tsx';
import { Screen } from '#console/ui/screen/Screen.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { type EmailTemplate, type TemplateFault, testEmailTemplate } from '#contract/emailTemplate.ts';
import css from './emailTemplates.module.css';
import { FaultList } from './FaultList.tsx';
import { lacksLink } from './lacksLink.ts';
import { MailPreview } from './MailPreview.tsx';
import { NewerBand } from './NewerBand.tsx';
import { TemplateActions } from './TemplateActions.tsx';
import { type Editors, TemplateDraft } from './TemplateDraft.tsx';
import { type Preview, useMailPreview } from './useMailPreview.ts';
import { useTemplateForm } from './useTemplateForm.ts';
import { VariablesPanel } from './VariablesPanel.tsx';

interface TemplateEditorProps {
  projectId: string;
  template: EmailTemplate;
  mayEdit: boolean;
}

/** The draft on the left, its preview on the right. */
export function TemplateEditor({ projectId, template, mayEdit }: TemplateEditorProps) {
  const params = { projectId, templateId: template.id };
  const draft = useTemplateForm(projectId, template);
  const { values, dirty } = draft.form;
  const preview = useMailPreview(params, values);
  const test = useCall(testEmailTemplate, { onDone: ({ email }) => toast(`Sent to ${email}`) });
  const editors = useRef<Editors>({ subject: null, body: null, last: 'body' });
  const [, change] = useUrlState();

  function goTo(fault: TemplateFault) {
    // While the changes are shown there is no editor to go to.
    if (!editors.current[fault.field]) change({ view: undefined }, { replace: true });
    editors.current[fault.field]?.goTo(fault);
  }
  function edit(field: 'subject' | 'body', text: string) {
    draft.edit(field, text);
    test.reset();
  }
  const insert = (text: string) => editors.current[editors.current.last]?.insert(text);
  const sendTest = () => test.mutate({ params, body: values });
  return (
    <Screen
      title={template.name}
      beside={<State changed={template.changed} dirty={dirty} />}
      actions={
        mayEdit && (
          <TemplateActions
            draft={draft}
            changed={template.changed}
            sending={test.isPending}
            onSendTest={sendTest}
          />
        )
      }
    >
      <p className={css.about}>{template.description}</p>
      {draft.newer && <NewerBand draft={draft} theirs={draft.newer} />}
      <FormError error={draft.form.error ?? test.error} />
      <div className={css.columns}>
        <div className={css.column}>
          <TemplateDraft
            {...{ template, values, mayEdit, editors }}
            faults={preview.faults}
            onChange={edit}
            onSave={draft.save}
          />
          <div className={css.variablesPlace}>
            <VariablesPanel variables={template.variables} onInsert={mayEdit ? insert : undefined} />
          </div>
        </div>
        <div className={css.aside}>
          <FaultList faults={preview.faults} onGoTo={goTo} />
          <LinkWarning template={template} preview={preview} />
          <MailPreview preview={preview} to={recipientOf(template)} />
        </div>
      </div>
      <UnsavedChangesGuard dirty={dirty} />
    </Screen>
  );
}

interface LinkWarningProps {
  template: EmailTemplate;
  preview: Preview;
}

/** Only a warning: the template can be saved, as someone may not need the link. */
function LinkWarning({ template, preview: { mail, faults } }: LinkWarningProps) {
  return (
    <div role="status">
      {mail && faults.length === 0 && lacksLink(template, mail.html) && (
        <Hint>
          This e-mail does not contain its link, so recipients cannot do what it asks. Insert{' '}
          <code>{'{{ link.url }}'}</code>.
        </Hint>
      )}
    </div>
  );
}

function State({ changed, dirty }: { changed: boolean; dirty: boolean }) {
  if (dirty) return <StatePill tone="warn" word="Not saved" />;
  return changed ? <StatePill tone="busy" word="Edited" /> : <StatePill tone="off" word="Default" />;
}

/** The sample's recipient: a change of address is sent to the new one. */
function recipientOf({ variables }: EmailTemplate): string {
  const sample = (name: string) => variables.find(variable => variable.name === name)?.sample;
  return sample('user.newEmail') ?? sample('user.email') ?? '';
}
