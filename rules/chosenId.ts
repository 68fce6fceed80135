export const idMax = 63;

/** An id chosen by a developer: letters and digits, with hyphens and underscores in between. */
export const chosenIdPattern = /^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?$/;
