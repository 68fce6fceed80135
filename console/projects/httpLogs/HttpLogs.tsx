import { call } from '#console/core/client.ts';
import type { LogWords } from '#console/logs/logWords.ts';
import { SearchedLog } from '#console/logs/SearchedLog.tsx';
import type { LogSource } from '#console/logs/useLogEntries.ts';
import { SettingsScreen } from '#console/projects/settings/SettingsScreen.tsx';
import { readHttpLogEntries } from '#contract/log.ts';
import { countHttpLogEntries } from '#contract/logCounts.ts';

/** Developers look here for failed calls, so the filter speaks of outcomes instead of levels. */
const words: LogWords = {
  actor: 'Caller',
  action: { label: 'Route', placeholder: 'Route: GET /app/v1/:app/me' },
  level: 'Outcome',
  levels: [
    { value: '', label: 'All calls' },
    { value: '1', label: 'Failed (4xx, 5xx)' },
    { value: '0', label: 'Server errors (5xx)' },
  ],
  all: ['call', 'calls'],
  warnings: ['refused', 'refused'],
  errors: ['server error', 'server errors'],
};

const texts = {
  empty: 'No calls in this period. Every call by an app or a back end is recorded here for 30 days.',
  action: ' To find an action, enter its method and route, such as GET /app/v1/:app/me.',
};

/** Every call by apps, their users, and back ends with a key. */
export function HttpLogs() {
  return (
    <SettingsScreen width="full">
      {({ id }) => (
        <SearchedLog label="HTTP log" source={httpLogOf(id)} hasTail={false} texts={texts} words={words} />
      )}
    </SettingsScreen>
  );
}

function httpLogOf(projectId: string): LogSource {
  return {
    key: `${projectId} http`,
    read: asked => call(readHttpLogEntries, { params: { projectId }, ...asked }),
    count: asked => call(countHttpLogEntries, { params: { projectId }, ...asked }),
    useTail: () => undefined,
  };
}
