import type { ReactNode } from 'react';
import { useMay } from '#console/core/membership/useMay.ts';
import { isByIds } from '#console/devices/alerts/groups/groupMembers.ts';
import { useGroupActs } from '#console/devices/alerts/groups/useGroupActs.tsx';
import { Button } from '#console/ui/Button.tsx';
import { actOnAlerts } from '#contract/alert.ts';
import type { Finding } from '#contract/finding.ts';
import { numberText } from '#rules/text/numberText.ts';

interface AcknowledgeButtonProps {
  projectId: string;
  group: NonNullable<Finding['alerts']>;
  /** For who may not acknowledge alerts, and for more of them than one call changes. */
  otherwise: ReactNode;
}

/** Acknowledges the alerts of one cause at once, and offers to undo it. */
export function AcknowledgeButton({ projectId, group, otherwise }: AcknowledgeButtonProps) {
  const mayAct = useMay(actOnAlerts);
  const { busy, act } = useGroupActs(projectId, 'cause', { state: 'open', severity: 'critical' });
  if (!mayAct || !isByIds(group)) return otherwise;
  return (
    <Button
      busy={busy === 'acknowledge'}
      onClick={() => void act('acknowledge', { groups: [group], alerts: [] })}
    >
      {group.alerts === 1 ? 'Acknowledge' : `Acknowledge all ${numberText(group.alerts)}`}
    </Button>
  );
}
