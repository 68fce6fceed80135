export const keepAliveMaxS = 1200;
/** A connection that is silent for more of its keep-alive intervals is closed, and the device is disconnected. */
export const silentIntervalsMax = 1.5;
