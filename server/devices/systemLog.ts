import { tellLive } from '#server/http/live.ts';
import type { Call } from '#server/http/route.ts';
import { appendEntry } from '#server/logs/append.ts';

const acts = {
  suspended: { action: 'suspendDevice', text: 'Suspended', level: 1 },
  resumed: { action: 'resumeDevice', text: 'Resumed', level: 2 },
  keyRotated: { action: 'rotateDeviceKey', text: 'Given a new API key', level: 2 },
} as const;

/** What a developer did to a device, in the device's own log and before the eyes of who watches it. */
export async function noteInSystemLog(call: Call, deviceId: string, act: keyof typeof acts): Promise<void> {
  const { db, platform, me, now } = call;
  const projectId = call.projectId ?? '';
  const entry = await appendEntry(db, platform, {
    projectId,
    stream: 'system',
    ts: now,
    subject: deviceId,
    actor: {
      callerType: 'developer',
      id: me.developerId,
      displayName: me.name,
      ...(me.sudoer && { bySudoer: true as const }),
    },
    ...acts[act],
  });
  call.whenKept(() =>
    tellLive(platform, projectId, { kind: 'device', deviceId, what: 'entry', data: entry }),
  );
}
