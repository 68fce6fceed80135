import type { Sentences } from './sentences.ts';

export const proxyReasons = {
  // Proxy routes
  PROXY_ROUTE_NOT_FOUND: [404, 'This proxy route does not exist.'],
  TOO_MANY_PROXY_ROUTES: [422, 'A project can have at most 200 proxy routes. Delete one first.'],
  PROXY_FILTER_UNFIT: [
    422,
    'Home ids apply only to home routes, device classes to device routes, and entity classes and ids to entity routes. Remove the others.',
  ],
  ENTITY_NOT_FOUND: [404, 'This entity does not exist.'],
  NO_PROXY_ROUTE: [404, 'No proxy route matches this path. Check the path, or create a route for it.'],
  PROXY_PATH_REFUSED: [
    400,
    'This path cannot be forwarded. Send it without empty or dot segments, backslashes and encoded slashes.',
  ],
  PROXY_WEBSOCKET_REFUSED: [
    403,
    'This proxy route does not allow WebSockets. Allow them in the route, or use HTTP.',
  ],
  PROXY_UNREACHABLE: [
    502,
    'The back end could not be reached, or the connection broke. Try again; its developer can see the cause in the HTTP log.',
  ],
  PROXY_TIMEOUT: [504, 'The back end did not answer in time. Try again later.'],
  PROXY_LOOP: [
    508,
    'This call has already passed through this platform. Point the proxy route at the back end itself.',
  ],
  PROXY_BUSY: [
    503,
    'The back end has too many concurrent calls. Wait for the time given in Retry-After, then try again.',
  ],
  PROXY_OPEN: [
    503,
    'The back end has failed too often, so calls are paused for a few seconds. Wait for the time given in Retry-After, then try again.',
  ],
  VIEW_NOT_FOUND: [404, 'This view does not exist.'],
  TOO_MANY_VIEWS: [422, 'A project can have at most 50 views. Delete one first.'],
} as const satisfies Sentences;
