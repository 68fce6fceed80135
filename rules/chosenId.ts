export const idMax = 63;

/** An id that a developer chooses: letters, digits, inner hyphens and underscores. */
export const chosenIdPattern = /^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?$/;
