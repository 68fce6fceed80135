import type { Readable, Writable } from 'node:stream';

/** The streams of the child process beside its standard input. */
export const answersFd = 3;
export const marksFd = 4;
/** The mark of an answer is the index of its kind. */
export const kinds = ['results', 'tooSlow', 'tooLarge'] as const;
export type Kind = (typeof kinds)[number];

const headBytes = 5;

/** A message between processes: its length, a mark, and its content. */
export interface Frame {
  mark: number;
  content: Uint8Array<ArrayBuffer>;
}

export function writeFrame(to: Writable, { mark, content }: Frame): void {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(content.length);
  head[4] = mark;
  to.write(head);
  to.write(content);
}

/** Calls `take` for each frame that arrives, with content in a buffer of its own, which can be transferred. */
export function readFrames(from: Readable, take: (frame: Frame) => void): void {
  let head = Buffer.alloc(0);
  let frame: Frame | undefined;
  let filled = 0;
  from.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length || (frame && filled === frame.content.length); ) {
      if (!frame) {
        const missing = headBytes - head.length;
        head = Buffer.concat([head, chunk.subarray(at, at + missing)]);
        at += missing;
        if (head.length < headBytes) return;
        frame = { mark: head[4] ?? 0, content: new Uint8Array(head.readUInt32LE()) };
        [head, filled] = [Buffer.alloc(0), 0];
      }
      const part = chunk.subarray(at, at + frame.content.length - filled);
      frame.content.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < frame.content.length) return;
      const whole = frame;
      frame = undefined;
      take(whole);
    }
  });
}
