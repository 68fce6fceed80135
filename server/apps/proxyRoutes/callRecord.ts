import type { Composed } from './composeCall.ts';
import type { KeptAnswer } from './forward/answerHeaders.ts';
import type { KnownRoute } from './knownRoutes.ts';
import type { Subject } from './matchRoutes.ts';

/** How much of a body the log stores. */
const bodyBytesMax = 16 * 1024;

/** The detail that the HTTP log stores for a call through a route, beyond that of other calls. */
export class CallRecord {
  /** Complete once the call has ended. */
  readonly detail: Record<string, unknown>;
  readonly #sent: Record<string, unknown>;
  readonly #received: Record<string, unknown> = {};
  readonly #bodies: { sent: Cut; received: Cut } | undefined;

  constructor(
    route: KnownRoute,
    {
      subject,
      composed,
      now,
    }: {
      subject: Subject;
      composed: Composed;
      now: Date;
    },
  ) {
    const { homeId, deviceId, entityId } = subject;
    const isWatched = route.watchedUntil !== null && route.watchedUntil > now;
    if (isWatched) this.#bodies = { sent: new Cut(), received: new Cut() };
    // A query string may contain secrets: it is logged only while someone watches the route.
    const { url, headers } = composed;
    this.#sent = isWatched ? { url, headers: shown(headers) } : { url: withoutQuery(url) };
    this.detail = { route: route.id };
    if (homeId) this.detail.homeId = homeId;
    if (deviceId) this.detail.deviceId = deviceId;
    if (entityId) this.detail.entityId = entityId;
    this.detail.sent = this.#sent;
  }

  get isWatched(): boolean {
    return this.#bodies !== undefined;
  }

  sent(chunk: Buffer): void {
    this.#bodies?.sent.add(chunk);
  }

  started(status: number, { headers, contentType }: KeptAnswer): void {
    this.#received.status = status;
    this.#received.contentType = contentType;
    if (this.isWatched) this.#received.headers = shown(headers);
    this.detail.received = this.#received;
  }

  received(chunk: Buffer): void {
    this.#bodies?.received.add(chunk);
  }

  /** Completes the detail once the call is over. */
  end(bytes: number, fault: string | undefined): void {
    if (this.detail.received) this.#received.bytes = bytes;
    if (fault !== undefined) this.detail.fault = fault;
    if (!this.#bodies) return;
    Object.assign(this.#sent, this.#bodies.sent.shown());
    Object.assign(this.#received, this.#bodies.received.shown());
  }
}

function withoutQuery(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? url : url.slice(0, at);
}

/** The beginning of a body. */
class Cut {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    const room = bodyBytesMax - this.#bytes;
    this.#bytes += chunk.length;
    // Copied, because a chunk can be part of a far larger buffer.
    if (room > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, room)));
  }

  shown(): { body?: string; encoding?: 'base64'; isTruncated?: true } {
    if (this.#bytes === 0) return {};
    const all = Buffer.concat(this.#chunks);
    const isTruncated = this.#bytes > bodyBytesMax ? ({ isTruncated: true } as const) : {};
    return { ...textOf(all), ...isTruncated };
  }
}

/** The body as text if the database can store it, otherwise as base64. */
function textOf(bytes: Buffer): { body: string; encoding?: 'base64' } {
  const text = bytes.toString('utf8');
  const isText = !text.includes('\0') && Buffer.from(text, 'utf8').equals(bytes);
  return isText ? { body: text } : { body: bytes.toString('base64'), encoding: 'base64' };
}

/** Signatures are omitted: while they are valid, anyone could use them to act as the platform. */
function shown(headers: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (name !== 'signature') pairs.push([name, (headers[i + 1] ?? '').replaceAll('\0', '')]);
  }
  return pairs;
}
