import { actorOf } from '#server/api/endpoints/audit.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { publishLive } from '#server/api/http/live.ts';
import { type Actor, appendEntry, type NewEntry } from '#server/api/logs/append.ts';
import type { Session } from '#server/api/sessions/session.ts';

const acts = {
  suspended: { action: 'suspendDevice', text: 'Suspended', level: 1 },
  resumed: { action: 'resumeDevice', text: 'Resumed', level: 2 },
  keyRotated: { action: 'rotateDeviceKey', text: 'API key changed', level: 2 },
  claimed: { action: 'claimDevice', text: 'Claimed for a home', level: 2 },
  released: { action: 'releaseDevice', text: 'Released from its home', level: 2 },
} as const;

/** Records in the system log of a device what a caller did to it, and notifies consoles. */
export async function appendToSystemLog(call: Call, deviceId: string, act: keyof typeof acts): Promise<void> {
  const { db, platform, now, projectId = '' } = call;
  const given = { projectId, deviceId, actor: actorOf(call), now };
  const entry = await appendEntry(db, platform, systemEntry(given, act));
  call.afterCommit(() =>
    publishLive(platform, projectId, { kind: 'device', deviceId, what: 'entry', data: entry }),
  );
}

export function systemEntry(
  { projectId, deviceId, actor, now }: { projectId: string; deviceId: string; actor: Actor; now: Date },
  act: keyof typeof acts,
): NewEntry {
  return { projectId, stream: 'system', ts: now, subject: deviceId, actor, ...acts[act] };
}

export function developerActor({ developerId, name, sudoer, token }: Session): Actor {
  return {
    callerType: 'developer',
    id: developerId,
    displayName: name,
    ...(sudoer && { bySudoer: true as const }),
    ...(token && { tokenName: token.name }),
  };
}
