import { type LogGroup, runsOf } from '#console/ui/logs/logGroups.ts';
import { logIn, logInWithCode, verify } from '#contract/account.ts';
import type { LogEntry } from '#contract/log.ts';

/** What people do with their accounts changes nothing in a project: it is read in the audit log. */
const ofAccounts = new Set([logIn.name, logInWithCode.name, verify.name]);

/** What happened in a project, newest first: a command to 500 devices is one line, and so is an import in ten parts. */
export function recentGroups(entries: readonly LogEntry[]): LogGroup[] {
  const changes = entries.filter(({ action }) => !ofAccounts.has(action));
  return runsOf(changes, ({ actor, action, level }) =>
    JSON.stringify([actor.id, actor.bySudoer, action, level]),
  );
}
