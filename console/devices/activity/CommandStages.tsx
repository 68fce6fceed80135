import type { Command } from '#contract/command.ts';
import { Stages } from './Stages.tsx';

type Stage = Command['stage'];

const way: readonly Stage[] = ['queued', 'sent', 'acknowledged'];
const isLast = (stage: Stage) => !way.includes(stage);

/** The progress of a command. */
export function CommandStages({ command }: { command: Command }) {
  const { stage, error, answeredLateAt } = command;
  const passed = way.slice(0, isLast(stage) ? reachedOf(command) : way.indexOf(stage));
  return (
    <Stages passed={passed} stage={stage} tookMs={tookMs(command)}>
      {answeredLateAt && ', answered late'}
      {error && `: ${error}`}
    </Stages>
  );
}

/** The last stage reached before the command ended. */
function reachedOf({ sentAt, acknowledgedAt }: Command): number {
  if (acknowledgedAt) return 3;
  return sentAt ? 2 : 1;
}

/** From the command's creation to its current stage. */
function tookMs({ stage, createdAt, sentAt, acknowledgedAt, finishedAt }: Command): number | undefined {
  const at = { queued: undefined, sent: sentAt, acknowledged: acknowledgedAt }[stage as string] ?? finishedAt;
  if (!at || stage === 'expired' || stage === 'cancelled') return undefined;
  return Date.parse(at) - Date.parse(createdAt);
}
