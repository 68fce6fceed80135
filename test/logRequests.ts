import { gzipSync } from 'node:zlib';
import type { LogRequestFrame } from '#contract/deviceProtocol.ts';
import { createLogRequest, type LogRequest, readLogRequest } from '#contract/logRequest.ts';
import { editProject } from '#contract/project.ts';
import { pendingLogRequestFrame } from '#server/devices/logRequests/askDevice.ts';
import { findRequest, toLogRequest } from '#server/devices/logRequests/store.ts';
import { aDevice } from './devices.ts';
import type { World } from './world.ts';

/** A device whose log can be requested. */
export async function aLoggingDevice(world: World) {
  const owner = await world.aDeveloper();
  const project = await world.aProject(owner);
  const body = { enableDeviceLogRetrieval: true };
  await owner.client.call(editProject, { params: { projectId: project.id }, body });
  const device = await aDevice(owner, project.id);
  const params = { deviceId: device.id };
  return {
    owner,
    project,
    device,
    ask: (more: Partial<typeof anHour> = {}): Promise<LogRequest> =>
      owner.client.call(createLogRequest, { params, body: { ...anHour, ...more } }),
    read: (requestId: string): Promise<LogRequest> =>
      owner.client.call(readLogRequest, { params: { ...params, requestId } }),
    /** Reads the request from the database, because after some days no session is left to read it with. */
    kept: async (requestId: string): Promise<LogRequest> => {
      const row = await findRequest(world.platform.db, { projectId: project.id, ...params, requestId });
      if (!row) throw new Error('There is no such request.');
      return toLogRequest(row);
    },
    /** The message that the device receives. */
    frame: async (): Promise<LogRequestFrame> => {
      const { db } = world.platform;
      const frame = await pendingLogRequestFrame(db, world.platform, project.id, device.id);
      if (!frame) throw new Error('Nothing is asked of the device.');
      return frame;
    },
  };
}

export const anHour = {
  start: '2026-11-20T08:00:00.000Z',
  end: '2026-11-20T09:00:00.000Z',
  prefixes: [] as string[],
};

/** JSON lines as a device writes them. */
export function logLines(count: number): string {
  return Array.from(
    { length: count },
    (_, i) => `${JSON.stringify({ ts: i, level: 2, text: `line ${i}` })}\n`,
  ).join('');
}

export async function put(
  url: string,
  body: BodyInit | null,
  headers: Record<string, string> = {},
): Promise<{ status: number; reason: string | undefined }> {
  const answer = await fetch(url, { method: 'PUT', body, headers, duplex: 'half' } as RequestInit);
  const text = await answer.text();
  return {
    status: answer.status,
    reason: text ? (JSON.parse(text) as { reason: string }).reason : undefined,
  };
}

type LoggingDevice = Awaited<ReturnType<typeof aLoggingDevice>>;

/** A request, and the URL to upload its file to. */
export async function asked(target: LoggingDevice): Promise<{ id: string; uploadUrl: string }> {
  const { id } = await target.ask();
  return { id, uploadUrl: (await target.frame()).uploadUrl };
}

/** A request whose file was uploaded, and the links to the file. */
export async function uploaded(
  world: World,
  lines = logLines(20),
): Promise<{ target: LoggingDevice; id: string; url: string; uploadUrl: string }> {
  const target = await aLoggingDevice(world);
  const { id, uploadUrl } = await asked(target);
  const { status } = await put(uploadUrl, gzipSync(lines));
  if (status !== 204) throw new Error(`The upload was answered with ${status}.`);
  return { target, id, uploadUrl, url: (await target.read(id)).url ?? '' };
}
