import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Channel } from '#contract/channel.ts';

interface DevicesLinkProps {
  channel: Pick<Channel, 'projectId' | 'deviceClass' | 'name'>;
  className?: string | undefined;
  children: ReactNode;
}

/** The list of the devices that follow a channel. */
export function DevicesLink({ channel, className, children }: DevicesLinkProps) {
  const { projectId, deviceClass: classId, name } = channel;
  return (
    <Link
      to="/projects/$projectId/device_classes/$classId/instances"
      params={{ projectId, classId }}
      search={{ channel: name } as never}
      className={className}
    >
      {children}
    </Link>
  );
}
