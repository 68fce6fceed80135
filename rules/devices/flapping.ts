/** A device that connected or disconnected more often than this within an hour is flapping. */
export const flappingChangesMax = 5;
/** How far back a flapping device counts as a recent problem. */
export const flappingHours = 6;
