/** Whether it could be an e-mail address; the server knows better. */
export const isAddress = (typed: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed);
