import type { Sentences } from './sentences.ts';

export const callReasons = {
  // Any call
  MALFORMED: [400, 'The request could not be read. Check it against the reference.'],
  INVALID_FIELDS: [400, 'Some fields are not valid. Correct them and send the request again.'],
  UNKNOWN_FIELD: [400, 'The request contains an unknown field. Remove it and send the request again.'],
  NO_LOGIN: [401, 'You are not signed in. Sign in and try again.'],
  ACCOUNT_SUSPENDED: [401, 'This account is suspended. Contact the operator of this installation.'],
  REAUTH_REQUIRED: [401, 'Enter your password again to continue.'],
  GUARD_MISSING: [403, 'The X-Console-Guard header is missing. Send it with the value 1.'],
  ORIGIN_REFUSED: [403, 'Requests from this origin are not allowed. Ask the operator to register it.'],
  NOT_A_MEMBER: [403, 'You do not have access to this project.'],
  ROLE_TOO_LOW: [403, 'Your role in this project does not allow this. Ask an owner.'],
  NOT_ALLOWED: [403, 'You do not have permission to do this.'],
  NOT_IN_SUDO: [403, 'This is not available in a support session.'],
  UNVERIFIED_ACCOUNT: [403, 'To access your projects, please verify your account.'],
  TWO_FACTOR_REQUIRED: [
    403,
    'Your organization requires two-factor authentication. Turn it on under Account.',
  ],
  RESOURCE_NOT_FOUND: [404, 'There is nothing at this address.'],
  METHOD_NOT_ALLOWED: [405, 'This address does not support that method.'],
  STALE: [409, 'This page may contain stale information. Please reload.'],
  IDEMPOTENCY_KEY_REUSED: [409, 'This idempotency key was used for another request. Use a new one.'],
  TOO_LARGE: [413, 'The request is too large.'],
  URI_TOO_LONG: [414, 'The address is too long.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send the body as application/json in UTF-8.'],
  INVALID_RANGE: [416, 'This range is not valid. Request an earlier page or a shorter time range.'],
  TOO_MANY_REQUESTS: [429, 'Too many requests. Wait for the time given in Retry-After, then try again.'],
  HEADERS_TOO_LARGE: [431, 'The request headers are too large.'],
  DISABLED: [500, 'This function is disabled temporarily.'],
  UNAVAILABLE: [503, 'The service is not available at the moment. Try again in a few seconds.'],
  // Files
  FILE_NOT_FOUND: [404, 'This file cannot be downloaded.'],
  LINK_EXPIRED: [403, 'This link has expired or was altered. Request a new one.'],
  UPLOAD_OVER: [409, 'This upload is closed.'],
  FILE_UNFIT: [422, 'This type of file is not accepted here.'],
  STORAGE_FULL: [507, 'There is no storage space left. Try again later.'],
  // Device connections
  UPGRADE_REQUIRED: [426, 'Connect to this address with a WebSocket and the subprotocol mqtt.'],
  DEVICE_KEY_WRONG: [401, 'The device id or key is wrong.'],
} as const satisfies Sentences;
