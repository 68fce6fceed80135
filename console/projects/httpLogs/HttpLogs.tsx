import { call } from '#console/core/client.ts';
import { SearchedLog } from '#console/logs/SearchedLog.tsx';
import type { LogSource } from '#console/logs/useLogEntries.ts';
import { SettingsScreen } from '#console/projects/settings/SettingsScreen.tsx';
import { readHttpLogEntries } from '#contract/log.ts';

/** Developers look here for failed calls, so the filter speaks of outcomes instead of levels. */
const words = {
  actor: 'Caller',
  action: { label: 'Route', placeholder: 'Route: GET /app/v1/:app/me' },
  level: 'Outcome',
  levels: [
    { value: '', label: 'All calls' },
    { value: '1', label: 'Failed calls (4xx, 5xx)' },
    { value: '0', label: 'Server errors (5xx)' },
  ],
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
    useTail: () => undefined,
  };
}
