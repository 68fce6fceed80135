import { type LogGroup, runsOf } from '#console/ui/logs/logGroups.ts';
import { logIn, logInWithCode, verify } from '#contract/account.ts';
import { hideFinding, showFinding } from '#contract/finding.ts';
import type { LogEntry } from '#contract/log.ts';

/**
 * Changes to a person's own account, or to what they see themselves, do not affect a project; they can be found in the audit
 * log.
 */
const ofOneself = new Set([logIn.name, logInWithCode.name, verify.name, hideFinding.name, showFinding.name]);

/**
 * The recent changes in a project, newest first: a command to 500 devices is one line, and so is an import in ten
 * parts.
 */
export function recentGroups(entries: readonly LogEntry[]): LogGroup[] {
  const changes = entries.filter(({ action }) => !ofOneself.has(action));
  return runsOf(changes, ({ actor, action, level, text }) =>
    JSON.stringify([actor.id, actor.bySudoer, action, level, withoutIds(text)]),
  );
}

/** What was done, apart from what it was done to: "Command reboot sent to device …", "1,000 devices imported". */
const withoutIds = (text: string) => text.replace(/\b[a-z]{3}_[0-9a-z]{26}\b|\d+/g, '…');
