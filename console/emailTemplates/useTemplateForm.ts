import { useEffect, useState } from 'react';
import { invalidate, useCall } from '#console/api.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { CallFailed } from '#contract/client.ts';
import { type EmailTemplate, editEmailTemplate, revertEmailTemplate } from '#contract/emailTemplate.ts';
import type { Content } from './useMailPreview.ts';

export type TemplateDraftState = ReturnType<typeof useTemplateForm>;

/** The draft of a template, what it began from, and what others made of it meanwhile. */
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
  /** Whoever was too late is shown what there is now. */
  function lookAgain(error: unknown): never {
    if (error instanceof CallFailed && error.reason === 'STALE') void invalidate(editEmailTemplate, params);
    throw error;
  }
  function begin(from: EmailTemplate): void {
    setBase(from);
    form.reset(contentOf(from));
  }

  // Our own change may be heard of before it is answered.
  const isNewer = template.revision !== base.revision && !form.saving && !revert.isPending;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is begun from is the template of this very revision
  useEffect(() => {
    if (isNewer && !form.dirty) begin(template);
  }, [isNewer, form.dirty, template.revision]);

  return {
    form,
    /** What the draft began from. */
    base,
    /** Somebody else's wording that the draft knows nothing of. */
    newer: isNewer && form.dirty ? template : undefined,
    edit(field: keyof Content, text: string): void {
      form.set(field, text);
      form.fail(undefined);
    },
    save: () => void form.send(),
    discard: () => begin(template),
    /** The draft stays; saving it now replaces theirs knowingly. */
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

/** Line breaks as the editor has them, or a text written elsewhere would seem changed when it is opened. */
function contentOf({ subject, body }: Content): Content {
  return { subject, body: body.replace(/\r\n?/g, '\n') };
}
