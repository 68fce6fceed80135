/** The page with its contents, and the calls with their tables. */
export const stylesheets = ['/docs/reference.css', '/docs/calls.css'];
