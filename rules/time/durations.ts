export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const weekMs = 7 * dayMs;

export const minuteS = 60;
export const hourS = 60 * minuteS;
export const dayS = 24 * hourS;

export const dayMinutes = 24 * 60;
