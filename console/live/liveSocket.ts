const silenceMaxMs = 50_000;
/** After a connection that was lost, and after one that never came about. */
const retryMs = { lost: 2_000, refused: 5_000 };

export interface Heard {
  event: string;
  data: unknown;
}

interface SocketListener {
  /** A connection is asked for: the first, and each that follows one that ended. */
  onAsked: () => void;
  onOpen: () => void;
  onHeard: (heard: Heard) => void;
  /** `wasOpen`: false where the server refused it, or could not be reached. */
  onEnded: (wasOpen: boolean) => void;
}

/**
 * Keeps a WebSocket to the server open, whatever ends it; answers what closes it for good. Not an `EventSource`, which
 * takes one of the six HTTP connections that a browser shares among all its windows of a server.
 */
export function keepOpen(path: string, { onAsked, onOpen, onHeard, onEnded }: SocketListener): () => void {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const again = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(open, delayMs);
  };
  const drop = () => {
    clearTimeout(timer);
    const dropped = socket;
    socket = undefined;
    // A browser complains of one that is closed before it is open.
    if (dropped?.readyState === WebSocket.CONNECTING) dropped.onopen = () => dropped.close();
    else dropped?.close();
  };

  function open(): void {
    drop();
    onAsked();
    const own = new WebSocket(window.location.origin.replace(/^http/, 'ws') + path);
    let isOpen = false;
    socket = own;
    // A connection that broke without a word looks open for hours; the server says something every 20 seconds.
    again(silenceMaxMs);
    own.onopen = () => {
      isOpen = true;
      if (own === socket) onOpen();
    };
    own.onmessage = ({ data }) => {
      if (own !== socket) return;
      again(silenceMaxMs);
      onHeard(JSON.parse(data) as Heard);
    };
    own.onclose = () => {
      if (own !== socket) return;
      again(isOpen ? retryMs.lost : retryMs.refused);
      onEnded(isOpen);
    };
  }

  open();
  return drop;
}
