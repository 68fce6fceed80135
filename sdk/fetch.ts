/** As much of `fetch` as is used. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;
