import { StatePill } from '#console/ui/state/StatePill.tsx';
import { useNow } from '#console/ui/time/TimeAgo.tsx';
import type { ProxyReachability, ProxyRouteFigures } from '#contract/proxyCall.ts';
import type { ProxyRoute } from '#contract/proxyRoute.ts';

interface Known<T> {
  data: T | undefined;
  error: unknown;
}

interface RouteStatePillProps {
  route: ProxyRoute;
  figures: Known<ProxyRouteFigures>;
  reachability: Known<ProxyReachability>;
}

/** A route with at least this share of failed calls counts as failing. */
const failingShare = 0.1;

/** Whether calls pass. */
export function RouteStatePill({ route, ...known }: RouteStatePillProps) {
  const now = useNow();
  if (route.suspended) return <StatePill tone="danger" word="Suspended" detail="refuses all calls" />;
  const [figures, reachability] = [known.figures.data, known.reachability.data];
  const { breaker, fault } = reachability ?? {};
  const leftS = breaker?.until ? Math.ceil((Date.parse(breaker.until) - now) / 1000) : 0;
  if (breaker?.state === 'open' && leftS > 0)
    return <StatePill tone="danger" word="Breaker open" detail={`for ${leftS} s`} />;
  if (fault !== undefined) return <StatePill tone="danger" word="Not reachable" />;
  if (!figures || !reachability)
    // A failed read shows its own error.
    return known.figures.error || known.reachability.error ? null : (
      <StatePill tone="never" word="Checking" />
    );
  const { calls, failed } = figures;
  if (calls.count > 0 && failed.count / calls.count >= failingShare)
    return <StatePill tone="warn" word="Failing" />;
  if (calls.count === 0) return <StatePill tone="never" word="No calls yet" />;
  return <StatePill tone="ok" word="Healthy" />;
}
