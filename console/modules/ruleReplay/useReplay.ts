import { useEffect, useRef, useState } from 'react';
import { call } from '#console/core/client.ts';
import { serverDate } from '#console/core/serverClock.ts';
import { checkAfterMs } from '#console/modules/config/useConfigCheck.ts';
import { CallFailed, type Input } from '#contract/client.ts';
import { type RuleReplay, readRuleReplay, replayRule } from '#contract/ruleReplay.ts';

type Body = Input<typeof replayRule>['body'];

const pollMs = 400;
/** After this many polls, the server is polled less often. */
const eagerPolls = 25;

interface Replayed {
  replay: RuleReplay;
  /** The request that it answers. */
  of: string;
  /** When the replay was read. */
  at: string;
}

/** Replays the edited rule on past events after each change; the previous result stays until the next one arrives. */
export function useReplay(projectId: string, body: Body | undefined) {
  const [shown, setShown] = useState<Replayed>();
  const [error, setError] = useState<CallFailed>();
  const [isRunning, setRunning] = useState(false);
  const [again, setAgain] = useState(0);
  const asked = body === undefined ? undefined : JSON.stringify(body);
  const [series] = useState(() => `editor-${Math.random().toString(36).slice(2)}`);
  const latest = useRef(body);
  latest.current = body;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` repeats the request
  useEffect(() => {
    // The error was about the rule before this change.
    setError(undefined);
    if (asked === undefined) {
      // The replay of the rule before this change was aborted and does not report its end.
      setRunning(false);
      return undefined;
    }
    const stop = new AbortController();
    const { signal } = stop;
    const show = (replay: RuleReplay) => {
      if (!signal.aborted) setShown({ replay, of: asked, at: serverDate().toISOString() });
    };
    const timer = setTimeout(async () => {
      setRunning(true);
      try {
        await follow(projectId, { ...(latest.current as Body), series }, { signal, show });
        if (!signal.aborted) setError(undefined);
      } catch (failure) {
        if (failure instanceof CallFailed && !signal.aborted) setError(failure);
      } finally {
        if (!signal.aborted) setRunning(false);
      }
    }, checkAfterMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [projectId, asked, again, series]);
  const isCurrent = shown?.of === asked && shown?.replay.state !== 'running' && !isRunning;
  return {
    shown,
    /** The result for exactly what is edited now; what is `shown` may be about the rule before a change. */
    current: isCurrent ? shown?.replay : undefined,
    error,
    isRunning,
    runAgain: () => setAgain(count => count + 1),
  };
}

interface Following {
  signal: AbortSignal;
  show: (replay: RuleReplay) => void;
}

/** Starts a replay and shows its progress until it ends. */
async function follow(projectId: string, body: Body, { signal, show }: Following): Promise<void> {
  let replay = await call(replayRule, { params: { projectId }, body, signal });
  for (let polls = 0; replay.state === 'running' && !signal.aborted; polls += 1) {
    // Results without a hit would only make the chart flicker.
    if (replay.rows.length > 0) show(replay);
    await new Promise(resolve => setTimeout(resolve, polls < eagerPolls ? pollMs : pollMs * 4));
    replay = await call(readRuleReplay, { params: { projectId, replayId: replay.id }, signal });
  }
  show(replay);
}
