import { useCall } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { AppLink } from '#console/people/AppLink.tsx';
import { wallTime } from '#console/people/homes/guests/wallTime.ts';
import { homeFields } from '#console/people/homes/homeFields.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { FieldsPanel } from '#console/ui/fields/FieldsPanel.tsx';
import { PersonLink } from '#console/ui/links/PersonLink.tsx';
import { TimeAgo, useNow } from '#console/ui/time/TimeAgo.tsx';
import { editHome, type Home } from '#contract/home.ts';

export function HomeInfoPanel({ home }: { home: Home }) {
  const { id: homeId, projectId, owner, timeZone, createdAt, createdIn, active } = home;
  const save = useCall(editHome);
  return (
    <FieldsPanel
      title="Home"
      locked={!useMay(editHome)}
      row={home}
      fields={homeFields}
      facts={[
        ['Id', <CopyText key="id" text={homeId} label="Copy id" />],
        'name',
        ['Owner', <PersonLink key="owner" projectId={projectId} person={owner} />],
        ['Time zone', <LocalTime key="zone" timeZone={timeZone} />],
        [
          'Created',
          <span key="created">
            <TimeAgo time={createdAt} />
            {createdIn && (
              <>
                {' in '}
                <AppLink projectId={projectId} appId={createdIn} />
              </>
            )}
          </span>,
        ],
        ['Commands', active ? 'allowed' : 'rejected until the home is activated'],
      ]}
      toForm={({ name, timeZone }) => ({ name, timeZone })}
      send={(body, ifMatch) => save.mutateAsync({ params: { homeId }, body, ifMatch })}
      saved="Home saved"
    />
  );
}

/** "Europe/Oslo, 14:02 now" */
function LocalTime({ timeZone }: { timeZone: string }) {
  const now = useNow();
  return (
    <>
      {timeZone}, {wallTime(new Date(now).toISOString(), timeZone).slice(11)} now
    </>
  );
}
