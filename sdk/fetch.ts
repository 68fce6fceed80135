/** The part of `fetch` that is used. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;
