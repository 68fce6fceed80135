import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { readClassStateHistory, readDeviceStateHistory, type StateHistory } from '#contract/stateHistory.ts';
import { minuteMs } from '#rules/time/durations.ts';
import type { HistoryRange } from './historyRange.ts';

/** The device or class whose history is shown. */
export type HistorySource = { deviceId: string } | { projectId: string; classId: string };

interface Question {
  range: HistoryRange | undefined;
  /** One property, in detail; if absent, all of them. */
  property?: string | undefined;
  points: number;
}

const askAgainMs = minuteMs;

/** The history for a range; while the range moves on with time, the last answer stays. */
export function useHistory(source: HistorySource, { range, property, points }: Question) {
  const query = {
    begin: new Date(range?.from ?? 0).toISOString(),
    end: new Date(range?.to ?? 0).toISOString(),
    points,
    ...(property !== undefined && { property }),
  };
  const isDevice = 'deviceId' in source;
  const timing = { refetchInterval: askAgainMs };
  const ofDevice = useRead(
    readDeviceStateHistory,
    { params: { deviceId: isDevice ? source.deviceId : '' }, query },
    { ...timing, enabled: isDevice && range !== undefined },
  );
  const { classId, projectId } = isDevice ? { classId: '', projectId: '' } : source;
  const ofClass = useRead(
    readClassStateHistory,
    { params: { classId }, query: { projectId, ...query } },
    { ...timing, enabled: !isDevice && range !== undefined },
  );
  const read = isDevice ? ofDevice : ofClass;
  const of = [isDevice ? source.deviceId : classId, range?.span, property].join(' ');
  const [last, setLast] = useState<{ of: string; data: StateHistory }>();
  if (read.data && last?.data !== read.data) setLast({ of, data: read.data });
  const isMovedOn = range?.span !== 'custom' && last?.of === of && !read.error;
  const data = read.data ?? (isMovedOn ? last?.data : undefined);
  return { ...read, data, withoutHistory: ofDevice.data?.withoutHistory ?? [] };
}
