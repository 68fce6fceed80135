import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '#console/core/client.ts';
import { liveState, useLive } from '#console/core/live/live.ts';
import { serverDate } from '#console/core/serverClock.ts';
import { useStore } from '#console/core/store.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { isOpen, otherTime, questionOf, viewOf } from '#console/logs/auditQuestion.ts';
import { ExportLinks } from '#console/logs/ExportLinks.tsx';
import { type LogSource, useLogEntries } from '#console/logs/useLogEntries.ts';
import { LogViewer } from '#console/ui/logs/LogViewer.tsx';
import { logWindow } from '#console/ui/logs/logViews.ts';
import { pathOf } from '#contract/client.ts';
import type { LogEntry } from '#contract/log.ts';
import { exportDeviceLogEntries, readDeviceLogEntries } from '#contract/logRequest.ts';

/** What the platform recorded about a device: connections, commands, rejections. New entries appear by themselves. */
export function SystemLogs() {
  const { deviceId } = useParams({ from: '/shell/projects/$projectId/devices/$deviceId' });
  const [url] = useUrlState();
  // The end of the period stays fixed while the page is open: a moving end would be a new query with every render.
  const [now] = useState(() => serverDate());
  const [wantsTail, setWantsTail] = useState(true);
  const connected = useStore(liveState) === 'live';
  // The viewer filters the loaded entries itself; the server is queried by time only.
  const time = { view: url.view, from: url.from, to: url.to };
  const question = questionOf(time, now);
  const canTail = isOpen(time);
  const log = useLogEntries(deviceLogOf(deviceId), question, {
    tail: canTail && wantsTail,
    only: viewOf(url) === 'recent' ? logWindow('recent', now).maxEntries : undefined,
  });
  return (
    <LogViewer
      label="System log"
      tools={<ExportLinks of={pathOf(exportDeviceLogEntries, { deviceId })} question={question} />}
      entries={log.entries}
      error={log.error}
      onRetry={log.retry}
      older={log.older}
      live={canTail ? { on: wantsTail, connected, onChange: setWantsTail } : undefined}
      // Opened from a disconnection in the presence strip: the minutes around it.
      {...(viewOf(url) === otherTime.value && { moreViews: [otherTime] })}
      emptyText="Nothing was recorded in this period: no connections, commands or rejected messages."
    />
  );
}

function deviceLogOf(deviceId: string): LogSource {
  return {
    key: deviceId,
    read: asked => call(readDeviceLogEntries, { params: { deviceId }, ...asked }),
    useTail: (onEntry, enabled) =>
      useLive(
        'device',
        ({ deviceId: about, what, data }) => {
          if (about === deviceId && what === 'entry') onEntry(data as LogEntry);
        },
        enabled,
      ),
  };
}
