/** A module is parked when it has failed for this long or has this many runs waiting. */
export const parkAfter = { hours: 24, waiting: 10_000 };
/** The maximum length of a chain of runs that cause each other. */
export const causedHopsMax = 4;
