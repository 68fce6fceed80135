import { ConfirmDelete } from '#console/ui/dialog/ConfirmDelete.tsx';
import { type App, deleteApp } from '#contract/app.ts';
import { numberText } from '#rules/text/numberText.ts';

interface DeleteAppProps {
  app: App;
  openSessions: number | undefined;
  onClose: () => void;
}

export function DeleteApp({ app: { id: appId, projectId }, openSessions, onClose }: DeleteAppProps) {
  return (
    <ConfirmDelete
      noun="app"
      endpoint={deleteApp}
      input={{ params: { appId }, query: { projectId } }}
      leaveTo={{ to: '/projects/$projectId/apps', params: { projectId } }}
      onClose={onClose}
    >
      <p>
        Do you really want to delete app <b>{appId}</b>?
      </p>
      <p>{lost(openSessions)} Users, homes and devices stay.</p>
    </ConfirmDelete>
  );
}

function lost(openSessions: number | undefined): string {
  if (openSessions === 0) return 'Nobody is signed in to it. Its config is lost.';
  const sessions =
    openSessions === undefined
      ? 'Its sessions end'
      : openSessions === 1
        ? 'Its open session ends'
        : `Its ${numberText(openSessions)} open sessions end`;
  return `${sessions} at once, and its config is lost.`;
}
