import { type DisconnectReason, disconnectReasons } from '#contract/deviceProtocol.ts';
import type { NewEntry } from '#server/api/logs/append.ts';

type Note = Pick<NewEntry, 'action' | 'level' | 'text' | 'detail'>;

const protocols = { mqtt: 'MQTT', websocket: 'WebSocket', http: 'HTTP' } as const;

/** The log line of a new connection. */
export function connectedNote(given: {
  clientId: string;
  protocol: keyof typeof protocols;
  address: string;
  number: number;
  temporary: boolean;
}): Note {
  const { clientId, protocol, address, number, temporary } = given;
  const as = clientId === '' ? '' : ` as ${clientId}`;
  const text = `Connected over ${protocols[protocol]} from ${address}${as}`;
  const detail = { clientId, protocol, address, number, ...(temporary && { temporary }) };
  return { action: 'connected', level: 2, text, detail };
}

/** The log line of a closed connection. `fault`: what was wrong with the packet that ended it. */
export function disconnectedNote(given: {
  clientId: string;
  number: number;
  reason: DisconnectReason;
  fault?: string | undefined;
}): Note {
  const { clientId, number, reason, fault } = given;
  const text = [`Disconnected: ${disconnectReasons[reason]}`, fault].filter(Boolean).join(' ');
  return {
    action: 'disconnected',
    level: reason === 'CLOSED' ? 2 : 1,
    text,
    detail: { reason, clientId, number },
  };
}
