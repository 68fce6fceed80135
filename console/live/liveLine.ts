import type { LiveMessage } from '#contract/live.ts';

const silenceMaxMs = 50_000;
/** After a connection that was lost, and after one that never came about. */
const retryMs = { lost: 2_000, refused: 5_000 };

export interface Heard {
  event: string;
  data: unknown;
}

interface LineListener {
  /** A connection is asked for: the first, and each that follows one that ended. */
  onAsked: () => void;
  onOpen: () => void;
  onHeard: (heard: Heard) => void;
  /** `wasOpen`: false where the server refused it, or could not be reached. */
  onEnded: (wasOpen: boolean) => void;
}

/** What a way to connect tells; nothing after its end. */
type Told = Pick<LineListener, 'onOpen' | 'onHeard'> & { onEnd: () => void };

/**
 * Keeps a connection to the server open, whatever ends it; answers what closes it for good. It is a WebSocket: an
 * `EventSource` takes one of the six HTTP connections that a browser shares among all its windows of a server. Where a
 * WebSocket is refused, as by a proxy that passes no upgrades on, an `EventSource` is tried the next time.
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
    // A connection that broke without a word looks open for hours; the server says something every 20 seconds.
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
    // A browser complains of one that is closed before it is open.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  };
}

/** The names of what is said: an `EventSource` hears nothing else. */
const said: Record<LiveMessage['kind'] | 'beat', true> = {
  ...{ opened: true, changed: true, entry: true, devices: true, device: true, beat: true },
};

function overEvents(path: string, { onOpen, onHeard, onEnd }: Told): () => void {
  const source = new EventSource(path);
  source.onopen = onOpen;
  for (const event of Object.keys(said))
    source.addEventListener(event, ({ data }) => onHeard({ event, data: JSON.parse(data) }));
  const close = () => source.close();
  source.onerror = () => {
    // By itself it would try again, and would not say how often.
    close();
    onEnd();
  };
  return close;
}
