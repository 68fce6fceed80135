import { WebSocket } from 'ws';

/** A third of the memory of the WebSocket that is there everywhere: it counts when there are thousands. */
export class LightSocket extends WebSocket {
  constructor(url: string, protocols: string[]) {
    super(url, protocols, { perMessageDeflate: false });
  }
}
