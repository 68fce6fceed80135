import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';

type Fact = readonly [name: string, value: ReactNode];

/** Who created it, if known, and when. */
export function createdFacts({
  createdBy,
  createdAt,
}: {
  createdBy?: { name: string } | undefined;
  createdAt: string;
}): Fact[] {
  const when: Fact = ['Created', <TimeAgo key="created" time={createdAt} />];
  if (!createdBy) return [when];
  const who = (
    <span key="by" dir="auto">
      {createdBy.name}
    </span>
  );
  return [['Created by', who], when];
}

/** The device class it is for, as a link. */
export function classFact(projectId: string, classId: string): Fact {
  return [
    'Class',
    <Link
      key="class"
      to="/projects/$projectId/device_classes/$classId/overview"
      params={{ projectId, classId }}
    >
      {classId}
    </Link>,
  ];
}
