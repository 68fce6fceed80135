/** The largest packet from a device. */
export const packetBytesMax = 128 * 1024;
/** The maximum total size of the values of a class, and of those of a device. */
export const kvAllBytesMax = 1024 ** 2;
/**
 * No packet to a device is larger. The largest message is `config`: the values of the class and those of the device,
 * each with its key.
 */
export const downPacketBytesMax = 4 * kvAllBytesMax;
/** The default; projects can set another rate. */
export const messagesPerS = 20;
/** Burst size: messages of this many seconds can arrive at once. */
export const burstS = 5;
export const messageBurst = messagesPerS * burstS;
/** How many connections a device can open at once, and then how often another one. */
export const connectBurst = 20;
export const connectEveryS = 2;
/** How long messages over the rate limit are held back (backpressure) before the connection is closed. */
export const throttledMaxS = 10;
export const connectWithinS = 10;
export const subscriptionsMax = 32;
export const entitiesMax = 200;
/** How long `GET commands` waits for a command by default (long polling). */
export const pollWaitMs = { default: 25_000, most: 55_000 };
/** A command that was fetched but not answered is delivered again after this time. */
export const pollAgainMs = 30_000;
/** The most client ids under which one device can be connected at once. */
export const connectionsMax = 4;
