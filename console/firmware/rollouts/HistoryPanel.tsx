import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { momentText } from '#console/ui/time/dateTexts.ts';
import type { Rollout } from '#contract/rollout.ts';
import type { RolloutReport } from '#contract/rolloutReport.ts';
import css from './rollouts.module.css';

interface HistoryPanelProps {
  rollout: Rollout;
  report: RolloutReport | undefined;
}

/** What happened and who did it, newest first. */
export function HistoryPanel({ rollout, report }: HistoryPanelProps) {
  const events = report?.events;
  if (!events) return null;
  if (events.length === 0)
    return (
      <LinePanel title="What happened">
        Created {momentText(rollout.createdAt)}; nothing has happened since.
      </LinePanel>
    );
  return (
    <Panel title="What happened">
      <ol className={css.history}>
        {events.map(({ at, kind, text, actor }) => (
          <li key={`${at} ${kind} ${text}`}>
            <time dateTime={at}>{momentText(at)}</time>
            <span dir="auto">
              {text} {actor && <span className={css.small}>{actor.name}</span>}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
