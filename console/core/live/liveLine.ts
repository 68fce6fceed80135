import type { LiveMessage } from '#contract/live.ts';

const silenceMaxMs = 50_000;
/** The delay after a connection was lost, and after one that never opened. */
const retryMs = { lost: 2_000, refused: 5_000 };

export interface Heard {
  event: string;
  data: unknown;
}

interface LineListener {
  /** A connection is requested: the first one, and each one that follows. */
  onAsked: () => void;
  onOpen: () => void;
  onHeard: (heard: Heard) => void;
  /** `wasOpen`: false if the server refused the connection, or could not be reached. */
  onEnded: (wasOpen: boolean) => void;
}

/** What a transport reports; nothing after its end. */
type Told = Pick<LineListener, 'onOpen' | 'onHeard'> & { onEnd: () => void };

/**
 * Keeps a connection to the server open, whatever ends it; returns a function that closes it for good. It is a
 * WebSocket, because an `EventSource` takes one of the six HTTP connections that a browser shares among all its windows
 * of a server. If the WebSocket is refused, for example by a proxy that does not forward upgrades, the next attempt
 * uses an `EventSource`.
 */
export function keepOpen(path: string, { onAsked, onOpen, onHeard, onEnded }: LineListener): () => void {
  let close = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let connect = overWebSocket;
  let isOpen = true;
  const again = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(open, delayMs);
  };
  const drop = () => {
    clearTimeout(timer);
    close();
  };

  function open(): void {
    drop();
    if (!isOpen) connect = connect === overWebSocket ? overEvents : overWebSocket;
    isOpen = false;
    onAsked();
    // A connection that breaks silently looks open for hours; the server sends something every 20 seconds.
    again(silenceMaxMs);
    close = connect(path, {
      onOpen() {
        isOpen = true;
        onOpen();
      },
      onHeard(heard) {
        again(silenceMaxMs);
        onHeard(heard);
      },
      onEnd() {
        again(isOpen ? retryMs.lost : retryMs.refused);
        onEnded(isOpen);
      },
    });
  }

  open();
  return drop;
}

function overWebSocket(path: string, { onOpen, onHeard, onEnd }: Told): () => void {
  const socket = new WebSocket(window.location.origin.replace(/^http/, 'ws') + path);
  socket.onopen = onOpen;
  socket.onmessage = ({ data }) => onHeard(JSON.parse(data) as Heard);
  socket.onclose = onEnd;
  return () => {
    Object.assign(socket, { onopen: null, onmessage: null, onclose: null });
    // A browser logs an error if a socket is closed before it is open.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  };
}

/** The names of the messages: an `EventSource` delivers only events that are named. */
const said: Record<LiveMessage['kind'] | 'beat', true> = {
  opened: true,
  before: true,
  changed: true,
  entry: true,
  devices: true,
  device: true,
  beat: true,
};

function overEvents(path: string, { onOpen, onHeard, onEnd }: Told): () => void {
  const source = new EventSource(path);
  source.onopen = onOpen;
  for (const event of Object.keys(said))
    source.addEventListener(event, ({ data }) => onHeard({ event, data: JSON.parse(data) }));
  const close = () => source.close();
  source.onerror = () => {
    // An `EventSource` retries on its own, at intervals that it does not report.
    close();
    onEnd();
  };
  return close;
}
