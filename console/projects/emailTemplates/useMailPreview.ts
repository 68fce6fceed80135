import { useEffect, useState } from 'react';
import { call } from '#console/core/client.ts';
import { CallFailed } from '#contract/client.ts';
import { previewEmailTemplate, type TemplateFault } from '#contract/emailTemplate.ts';

export interface TemplateParams {
  projectId: string;
  templateId: string;
}

export interface Content {
  subject: string;
  body: string;
}

export interface Preview {
  /** The last draft without faults, as it would arrive. */
  mail: { subject: string; html: string; text: string } | undefined;
  /** The faults of the current draft. */
  faults: readonly TemplateFault[];
  error: CallFailed | undefined;
}

const quietMs = 300;

/** Has the server render the draft whenever typing pauses, so the preview is what would be sent. */
export function useMailPreview(
  { projectId, templateId }: TemplateParams,
  { subject, body }: Content,
): Preview {
  const [preview, setPreview] = useState<Preview>({ mail: undefined, faults: [], error: undefined });
  const isFirst = preview.mail === undefined && preview.error === undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first wait is shorter, and its end must not start another
  useEffect(() => {
    const asking = new AbortController();
    const timer = setTimeout(
      () => {
        const params = { projectId, templateId };
        call(previewEmailTemplate, { params, body: { subject, body }, signal: asking.signal }).then(
          ({ faults, ...mail }) =>
            setPreview(before => ({
              mail: faults.length > 0 ? before.mail : mail,
              faults,
              error: undefined,
            })),
          (error: unknown) => {
            if (asking.signal.aborted) return;
            if (!(error instanceof CallFailed)) throw error;
            setPreview(before => ({ ...before, error }));
          },
        );
      },
      isFirst ? 0 : quietMs,
    );
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [projectId, templateId, subject, body]);

  return preview;
}
