import { useEffect, useRef, useState } from 'react';
import { call } from '#console/core/client.ts';
import { serverAway } from '#console/core/live/serverAway.ts';
import { useStore } from '#console/core/store.ts';
import type { Input, Result } from '#contract/client.ts';
import { CallFailed } from '#contract/client.ts';
import { checkModuleConfig } from '#contract/smartModule.ts';

type Checked = Result<typeof checkModuleConfig>;
type Body = Input<typeof checkModuleConfig>['body'];

/** In milliseconds after the last keystroke. */
export const checkAfterMs = 400;

/** The server's verdict on a configuration, while it is being typed. */
export function useConfigCheck(projectId: string, body: Body) {
  const [checked, setChecked] = useState<{ of: string; answer?: Checked; error?: CallFailed }>();
  const asked = JSON.stringify(body);
  const isAway = useStore(serverAway);
  const latest = useRef(body);
  latest.current = body;
  // biome-ignore lint/correctness/useExhaustiveDependencies: repeated once the server is back
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const input = { params: { projectId }, body: latest.current, signal: stop.signal };
        const answer = await call(checkModuleConfig, input);
        if (!stop.signal.aborted) setChecked({ of: asked, answer });
      } catch (error) {
        if (error instanceof CallFailed && !stop.signal.aborted) setChecked({ of: asked, error });
      }
    }, checkAfterMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [projectId, asked, isAway]);
  return {
    /** For the form's current content, or the previous content until a newer answer arrives. */
    faults: checked?.answer?.faults ?? noFaults,
    notes: checked?.answer?.notes ?? noNotes,
    // That the server does not answer is said at the top of the page, and on saving.
    error: checked?.of === asked && !isAway ? checked.error : undefined,
    /** True: the answer is about the form's current content. */
    isCurrent: checked?.of === asked && checked.answer !== undefined,
  };
}

const noFaults: Checked['faults'] = [];
const noNotes: Checked['notes'] = [];
