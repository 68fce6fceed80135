import type { Command } from '#contract/command.ts';
import css from './activity.module.css';

type Stage = Command['stage'];

const way: readonly Stage[] = ['queued', 'sent', 'acknowledged'];
const isLast = (stage: Stage) => !way.includes(stage);

/** The stages a command has passed, the one it has reached in bold: "queued — sent — acknowledged 41 ms". */
export function CommandStages({ command }: { command: Command }) {
  const { stage, error, answeredLateAt } = command;
  const passed = way.slice(0, isLast(stage) ? reachedOf(command) : way.indexOf(stage));
  return (
    <span className={css.stages}>
      {passed.map(one => (
        <span key={one} className={css.passed}>
          {one}
        </span>
      ))}
      <span className={css.reached} data-stage={stage}>
        {stage}
        {took(command)}
        {answeredLateAt && ', answered late'}
        {error && `: ${error}`}
      </span>
    </span>
  );
}

/** How far it came before it ended. */
function reachedOf({ sentAt, acknowledgedAt }: Command): number {
  if (acknowledgedAt) return 3;
  return sentAt ? 2 : 1;
}

/** From when it was made until now it stands. */
function took({ stage, createdAt, sentAt, acknowledgedAt, finishedAt }: Command): string {
  const at = { queued: undefined, sent: sentAt, acknowledged: acknowledgedAt }[stage as string] ?? finishedAt;
  if (!at || stage === 'expired' || stage === 'cancelled') return '';
  const ms = Date.parse(at) - Date.parse(createdAt);
  return ms < 10_000 ? ` ${Math.max(0, ms)} ms` : '';
}
