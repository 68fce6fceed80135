import css from '#console/apps/proxyRoutes/proxyRoutes.module.css';
import { Button } from '#console/ui/Button.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState, type ReadStateProps } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { Dot, type Tone } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { ProxyReachability } from '#contract/proxyCall.ts';

interface ReachabilityPanelProps {
  read: ReadStateProps['read'] & {
    data: ProxyReachability | undefined;
    isFetching: boolean;
    refetch: () => unknown;
  };
}

/** Whether the back end can be reached, checked without calling it. */
export function ReachabilityPanel({ read }: ReachabilityPanelProps) {
  return (
    <Panel
      title="Reachability"
      action={
        <Button variant="quiet" busy={read.isFetching} onClick={() => void read.refetch()}>
          Check again
        </Button>
      }
    >
      {read.data ? (
        <ul className={css.checks}>
          {linesOf(read.data).map(({ tone, text, aside }) => (
            <li key={text}>
              <Dot tone={tone} />
              <span>{text}</span>
              <span>{aside}</span>
            </li>
          ))}
        </ul>
      ) : (
        <ReadState read={read} what="The check" skeleton={<Skeleton lines={3} />} />
      )}
    </Panel>
  );
}

interface Line {
  tone: Tone;
  text: string;
  aside?: React.ReactNode;
}

const soonDays = 14;

function linesOf({ checkedAt, addresses, certificate, fault, breaker }: ProxyReachability): Line[] {
  const checked = <TimeAgo time={checkedAt} />;
  return [
    ...(addresses.length > 0
      ? [{ tone: 'ok' as const, text: addressesText(addresses), aside: checked }]
      : []),
    ...(fault === undefined ? [] : [{ tone: 'danger' as const, text: fault, aside: checked }]),
    ...(certificate
      ? [
          {
            tone: certificate.daysLeft < soonDays ? ('warn' as const) : ('ok' as const),
            text: `Certificate of ${certificate.subject}`,
            aside: `${certificate.daysLeft} days left`,
          },
        ]
      : []),
    breaker.state === 'open'
      ? {
          tone: 'danger',
          text: 'Calls paused: half of them failed',
          aside: <TimeAgo time={breaker.until} ahead />,
        }
      : { tone: 'ok', text: 'Calls flowing', aside: 'paused above 50 % failures' },
  ];
}

function addressesText(addresses: ProxyReachability['addresses']): string {
  const publicOnes = addresses.filter(({ isPublic }) => isPublic).length;
  const count = addresses.length === 1 ? '1 address' : `${addresses.length} addresses`;
  if (publicOnes === addresses.length) return `${count}, ${addresses.length === 2 ? 'both ' : ''}public`;
  const privateOnes = addresses.length - publicOnes;
  return privateOnes === addresses.length ? `${count}, private` : `${count}, ${privateOnes} of them private`;
}
