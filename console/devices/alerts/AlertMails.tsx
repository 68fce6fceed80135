import { useRead } from '#console/core/api.ts';
import { session } from '#console/core/session.ts';
import { useStore } from '#console/core/store.ts';
import { useHashDialog } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import { listAlertSubscriptions } from '#contract/alertMail.ts';
import { AlertMailsDialog } from './AlertMailsDialog.tsx';
import { minimumWords } from './alertWords.ts';

/** Whether the developer gets e-mails about alerts, on the screen that lists them. */
export function AlertMails({ projectId }: { projectId: string }) {
  const developerId = useStore(session)?.developer.id ?? '';
  const { data, error, refetch, isFetching } = useRead(listAlertSubscriptions, { params: { developerId } });
  const dialog = useHashDialog('emails');
  const own = data?.find(one => one.projectId === projectId);
  const label = own ? `Alert e-mails: ${minimumWords[own.severity]}` : 'Alert e-mails';
  if (!data)
    return error ? (
      <Button busy={isFetching} onClick={() => void refetch()}>
        Alert e-mails: try again
      </Button>
    ) : null;
  return (
    <>
      <Button onClick={dialog.show}>{label}</Button>
      {dialog.open && <AlertMailsDialog projectId={projectId} own={own} onClose={dialog.hide} />}
    </>
  );
}
