import { Link } from '@tanstack/react-router';
import { useCall, useRead } from '#console/core/api.ts';
import { Button } from '#console/ui/Button.tsx';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { type AlertSubscription, endAlertSubscription, listAlertSubscriptions } from '#contract/alertMail.ts';
import css from './alerts.module.css';
import { minimumWords } from './alertWords.ts';

/** The projects whose alerts the developer gets by e-mail, on the account page. */
export function AlertMailsPanel({ developerId }: { developerId: string }) {
  const read = useRead(listAlertSubscriptions, { params: { developerId } });
  const { data } = read;
  const end = useCall(endAlertSubscription);
  if (data?.length === 0)
    return (
      <LinePanel title="E-mails about alerts">Turn them on from the Alerts page of a project.</LinePanel>
    );
  return (
    <Panel title="E-mails about alerts" flush>
      {(!data || end.error) && (
        <div className={css.aside}>
          <ReadState read={read} what="The e-mails about alerts" skeleton={<Skeleton lines={1} unsized />} />
          <FormError error={end.error} />
        </div>
      )}
      <ul className={css.panel}>
        {data?.map(one => (
          <li key={one.projectId} className={css.line}>
            <b>
              <Link to="/projects/$projectId/alerts" params={one} hash="emails" dir="auto">
                {one.projectName}
              </Link>
            </b>
            <span className={css.when}>{wishesText(one)}</span>
            <Button
              variant="quiet"
              aria-label={`Turn off e-mails for ${one.projectName}`}
              busy={end.isPending && end.variables?.params.projectId === one.projectId}
              onClick={() => end.mutate({ params: { projectId: one.projectId } })}
            >
              Turn off
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** "warning and above, quiet 22:00–07:00" */
function wishesText({ severity, quiet }: AlertSubscription): string {
  const minimum = minimumWords[severity];
  return quiet ? `${minimum}, quiet ${quiet.from}–${quiet.to}` : minimum;
}
