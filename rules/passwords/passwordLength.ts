/** The length of any password, of developers and of end users. A project can ask for more. */
export const passwordMin = 8;
export const passwordMax = 256;
