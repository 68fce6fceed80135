/**
 * How far back a stream can be replayed, how much may be buffered for a slow reader in addition to the connection's own
 * buffer, how often heartbeats are sent, and how long a ticket is valid.
 */
export const streamLimits = { replayHours: 24, bufferBytes: 224 * 1024, heartbeatS: 15, ticketS: 30 };
