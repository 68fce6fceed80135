import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { may } from '#console/core/membership/may.ts';
import { useProject } from '#console/core/membership/useProject.ts';
import { Screen } from '#console/ui/screen/Screen.tsx';
import { ErrorState } from '#console/ui/state/ErrorState.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { editEmailTemplate, readEmailTemplate } from '#contract/emailTemplate.ts';
import { TemplateEditor } from './TemplateEditor.tsx';

/** One of the e-mails that the project sends to its end users. */
export function EmailTemplateScreen() {
  const params = useParams({ from: '/shell/projects/$projectId/email_templates/$templateId' });
  const { data, error, refetch, isFetching } = useRead(readEmailTemplate, { params });
  const project = useProject();
  // Also if the template stopped being used while it was on screen.
  if (error?.reason === 'RESOURCE_NOT_FOUND') return <NotFound what={error.message} />;
  if (!data && error)
    return (
      <ErrorState what="The template" error={error} onRetry={() => void refetch()} retrying={isFetching} />
    );
  if (!data || !project.data)
    return (
      <Screen title="E-mail template">
        <Skeleton lines={10} />
      </Screen>
    );
  // Another template has its own draft.
  return (
    <TemplateEditor
      key={`${params.projectId} ${data.id}`}
      projectId={params.projectId}
      template={data}
      mayEdit={may(project.data.role, editEmailTemplate)}
    />
  );
}
