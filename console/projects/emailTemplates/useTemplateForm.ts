import { useEffect, useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { invalidate } from '#console/core/client.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { CallFailed } from '#contract/client.ts';
import { type EmailTemplate, editEmailTemplate, revertEmailTemplate } from '#contract/emailTemplate.ts';
import type { Content } from './useMailPreview.ts';

export type TemplateDraftState = ReturnType<typeof useTemplateForm>;

/** The draft of a template, its base, and what others have saved meanwhile. */
export function useTemplateForm(projectId: string, template: EmailTemplate) {
  const [base, setBase] = useState(template);
  const params = { projectId, templateId: template.id };
  const save = useCall(editEmailTemplate);
  const revert = useCall(revertEmailTemplate, { onDone: begin });
  const form = useForm<Content>({
    initial: contentOf(template),
    async submit(sent, changed) {
      if (Object.keys(changed).length === 0) return;
      const asked = { params, body: changed, ifMatch: base.revision };
      const saved = await save.mutateAsync(asked).catch(lookAgain);
      setBase(saved);
      form.follow(contentOf(saved), sent);
      toast('Template saved');
    },
  });
  /** After a conflict, reads the current version. */
  function lookAgain(error: unknown): never {
    if (error instanceof CallFailed && error.reason === 'STALE') void invalidate(editEmailTemplate, params);
    throw error;
  }
  function begin(from: EmailTemplate): void {
    setBase(from);
    form.reset(contentOf(from));
  }

  // The live link may announce our own change before the response arrives.
  const isNewer = template.revision !== base.revision && !form.saving && !revert.isPending;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form starts from this revision of the template
  useEffect(() => {
    if (isNewer && !form.dirty) begin(template);
  }, [isNewer, form.dirty, template.revision]);

  return {
    form,
    /** The version that the draft is based on. */
    base,
    /** A version saved by someone else that the draft does not include. */
    newer: isNewer && form.dirty ? template : undefined,
    edit(field: keyof Content, text: string): void {
      form.set(field, text);
      form.fail(undefined);
    },
    save: () => void form.send(),
    discard: () => begin(template),
    /** Keeps the draft; saving it now knowingly replaces the other version. */
    keepMine(): void {
      setBase(template);
      form.fail(undefined);
    },
    async revert(): Promise<void> {
      await revert.mutateAsync({ params, ifMatch: base.revision }).catch(lookAgain);
      toast('Reverted to the default');
    },
  };
}

/** Line breaks as in the editor: otherwise a text written elsewhere would count as changed when opened. */
function contentOf({ subject, body }: Content): Content {
  return { subject, body: body.replace(/\r\n?/g, '\n') };
}
