import { CopyText } from '#console/ui/CopyText.tsx';
import { textOfJson } from '#console/ui/code/jsonText.ts';
import { Facts } from '#console/ui/screen/Panel.tsx';
import { absoluteTime } from '#console/ui/time/dateTexts.ts';
import { durationText } from '#console/ui/time/TimeAgo.tsx';
import type { Command } from '#contract/command.ts';
import css from './activity.module.css';

interface HopFactsProps {
  /** What was sent to the device, and what came back. */
  values: readonly (readonly [name: string, value: unknown])[];
  by: Command['sentBy'];
  calledAt: string | undefined;
  requestId: string | undefined;
  /** The first hop is when it was stored; hops without a time did not happen. */
  hops: readonly (readonly [name: string, at: string | undefined])[];
  end?: readonly (readonly [name: string, value: React.ReactNode])[];
}

/** What was sent to a device, by whom, and when it reached each stage. */
export function HopFacts({ values, by, calledAt, requestId, hops, end = [] }: HopFactsProps) {
  const [[firstName = '', storedAt = ''] = [], ...later] = hops;
  const since = calledAt ?? storedAt;
  const moment = ([name, at]: HopFactsProps['hops'][number]) =>
    at ? ([[name, <After key={name} time={at} since={since} />]] as const) : [];
  return (
    <Facts
      facts={[
        ...values.map(([name, value]) => [name, <Json key={name} value={value} />] as const),
        ['By', `${by.displayName || by.id} (${by.callerType})`],
        ...(calledAt
          ? ([['Call arrived', absoluteTime(calledAt)], ...moment([firstName, storedAt])] as const)
          : ([[firstName, absoluteTime(storedAt)]] as const)),
        ...later.flatMap(moment),
        ...(requestId
          ? ([['Request', <CopyText key="request" text={requestId} label="Copy request id" />]] as const)
          : []),
        ...end,
      ]}
    />
  );
}

/** The time since the call arrived, as readers want to know how fast it went. */
function After({ time, since }: { time: string; since: string }) {
  const ms = Date.parse(time) - Date.parse(since);
  return (
    <time dateTime={time} title={absoluteTime(time)}>
      {ms < 10_000 ? `${Math.max(0, ms)} ms` : durationText(ms)} later
    </time>
  );
}

function Json({ value }: { value: unknown }) {
  return <code className={css.value}>{textOfJson(value)}</code>;
}
