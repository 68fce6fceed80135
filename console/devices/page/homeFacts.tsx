import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PersonLink } from '#console/ui/links/PersonLink.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Device } from '#contract/device.ts';

type Fact = readonly [term: string, value: ReactNode];

/** The home that a device is in, its owner, and who added the device; nothing if it is in none. */
export function homeFacts({ projectId, home }: Device): readonly Fact[] {
  if (!home) return [];
  const { id: homeId, name, owner, since, claimedBy, claimedHow } = home;
  const how = { claim: 'claimed', onDemand: 'created on demand', added: 'added by your team' }[claimedHow];
  return [
    [
      'Home',
      <Link key="home" to="/projects/$projectId/homes/$homeId" params={{ projectId, homeId }} dir="auto">
        {name}
      </Link>,
    ],
    ...(owner ? ([['Owner', <PersonLink key="owner" projectId={projectId} person={owner} />]] as const) : []),
    [
      'Claimed by',
      <span key="by">
        {claimedBy && claimedHow !== 'added' ? (
          <>
            <PersonLink projectId={projectId} person={claimedBy} />
            {', '}
          </>
        ) : null}
        {how} <TimeAgo time={since} />
      </span>,
    ],
  ];
}
