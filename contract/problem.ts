/**
 * Every reason a call can fail with, its status and its sentence. Shared by server, console, reference and SDK.
 * Sentences fixed by the product's specification stand here verbatim.
 */
export const reasons = {
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
  UNAVAILABLE: [503, 'The service is restarting. Try again in a few seconds.'],
  // Accounts
  LOGIN_FAILED: [401, 'The e-mail address or password is wrong.'],
  LOGIN_ORG_MISMATCH: [403, 'This account belongs to another organization. Sign in to that organization.'],
  INVALID_TOKEN: [
    400,
    'This code is not valid. Check that the clock of your device is right, then try the next code.',
  ],
  AUTH_CODE_EXCEED_LENGTH: [400, 'The code must have 6 digits.'],
  AUTH2F_EXPIRED: [401, 'The sign-in took too long, or there were too many wrong codes. Sign in again.'],
  AUTH2F_ALREADY_ACTIVE: [409, 'Two-factor authentication is already on.'],
  AUTH2F_NOT_STARTED: [409, 'Start two-factor setup first.'],
  AUTH2F_NOT_ACTIVE: [409, 'Two-factor authentication is not on.'],
  WRONG_PASSWORD: [403, 'The password is wrong.'],
  WEAK_PASSWORD: [422, 'This is one of the most common passwords. Choose another.'],
  INVALID_LINK: [400, 'This link is not valid, has expired or has already been used. Request a new one.'],
  ALREADY_VERIFIED: [409, 'This e-mail address is already verified.'],
  EMAIL_UNCHANGED: [422, 'This is already your e-mail address.'],
  SIGN_UPS_CLOSED: [
    403,
    'This organization is not open to sign-ups. Ask its administrator for an invitation.',
  ],
  ORG_NOT_FOUND: [404, 'This organization does not exist.'],
  ORG_LOOKUP_FAILED: [503, 'The organization could not be looked up. Try again in a few seconds.'],
  ORG_MISMATCHED: [403, 'This link is for another organization.'],
  DEVELOPER_NOT_FOUND: [404, 'This developer does not exist.'],
  TOKEN_SCOPE: [403, 'This access token does not allow this. Use one with a wider scope.'],
  ACCESS_TOKEN_NOT_FOUND: [404, 'This access token does not exist or was revoked.'],
  TOO_MANY_TOKENS: [422, 'You can have at most 50 access tokens. Revoke one first.'],
  SESSION_NOT_FOUND: [404, 'This session does not exist or has already ended.'],
  // Projects
  PROJECT_NOT_FOUND: [404, 'This project does not exist.'],
  PROJECT_LIMIT_REACHED: [
    422,
    'Sorry, you cannot create more projects because you have reached the limit for your account.',
  ],
  DELETION_NOT_FOUND: [404, 'This deletion does not exist, or its record has expired.'],
  PUBLIC_ALIAS_TAKEN: [409, 'Another project has this public alias. Choose another.'],
  IRREVERSIBLE: [409, 'This setting cannot be turned off again.'],
  // Team
  MEMBER_NOT_FOUND: [404, 'This developer is not on the team.'],
  ALREADY_A_MEMBER: [409, 'This developer is already on the team.'],
  TEAM_FULL: [422, 'A team can have at most 500 members. Remove one first.'],
  LAST_MEMBER: [409, 'The last member cannot leave the project. Delete the project instead.'],
  LAST_OWNER: [409, 'A project needs an owner. Make another member an owner first.'],
  // E-mail templates
  INVALID_TEMPLATE: [422, 'This template cannot be sent. Fix the highlighted places.'],
  // Sign-in methods
  USER_AUTH_METHOD_NOT_FOUND: [404, 'This user authentication method does not exist.'],
  TOO_MANY_METHODS: [422, 'A project can have at most 20 sign-in methods. Delete one first.'],
  TEST_NOT_FOUND: [404, 'This test sign-in does not exist or has ended.'],
  ADDRESS_REFUSED: [422, 'This address cannot be called. Enter a public https address.'],
  ISSUER_UNREACHABLE: [422, 'The issuer did not return a discovery document. Check the address.'],
  ISSUER_MISMATCH: [
    422,
    'The discovery document names a different issuer. Enter the issuer exactly as it appears there.',
  ],
  ISSUER_UNFIT: [422, 'The provider does not support what sign-in needs.'],
  ICON_UNFIT: [
    422,
    'This icon cannot be used. Enter the https address of a PNG, JPEG, GIF, WebP or ICO image of at most 100 kB.',
  ],
  // Device classes and devices
  ID_TAKEN: [409, 'This id is taken. Choose another.'],
  AMBIGUOUS_ID: [409, 'This id exists in more than one of your projects. Send projectId as well.'],
  PROJECT_NOT_DEFINED: [400, 'The project is missing. Send projectId.'],
  DEPENDENCY_RESTRICTION: [409, 'It cannot be deleted because it is currently in use.'],
  DEVICE_CLASS_NOT_FOUND: [404, 'This device class does not exist.'],
  TOO_MANY_CLASSES: [422, 'A project can have at most 500 device classes. Delete one first.'],
  INVALID_SCHEMA: [422, 'This is not a supported JSON Schema. Fix the highlighted value.'],
  INVALID_KEY: [
    400,
    'A key consists of letters and digits, with _ - : in between, and starts and ends with a letter or digit.',
  ],
  NULL_VALUE: [
    422,
    'The value cannot be null: a device could not tell it from a missing key. Delete the pair instead.',
  ],
  KEY_TAKEN: [409, 'A key-value pair with the same key already exists.'],
  KV_PAIR_NOT_FOUND: [404, 'This key-value pair does not exist.'],
  TOO_MANY_PAIRS: [422, 'There are already 1,000 key-value pairs. Delete one first.'],
  DEVICE_NOT_FOUND: [404, 'This device does not exist.'],
  DEVICE_SUSPENDED: [409, 'The device is suspended. Resume it first.'],
  DEVICE_CLAIMED: [409, 'The device is already claimed, so it has no claim code.'],
  CLAIM_CODE_TAKEN: [409, 'Another device in the project has this claim code. Choose another.'],
  KEY_FORGOTTEN: [
    409,
    'This project does not store device keys: the key was shown once. Rotate it to get a new one.',
  ],
  SCHEMA_BROKEN: [422, 'The value violates the schema of the device class. Fix the highlighted places.'],
  ACTION_NOT_FOUND: [404, 'This bulk action does not exist, or its record has expired.'],
  IMPORT_NOT_FOUND: [404, 'This import does not exist, or its record has expired.'],
  IMPORT_NOT_READY: [409, 'Only a validated import without errors can be applied.'],
  TOO_MANY_IMPORTS: [422, 'Three imports are already running in this project. Wait until one has finished.'],
  // Apps, keys, end users and homes
  APP_NOT_FOUND: [404, 'This app does not exist.'],
  TOO_MANY_APPS: [422, 'A project can have at most 100 apps. Delete one first.'],
  REDIRECT_UNFIT: [
    422,
    'A redirect is an https address, a scheme of reverse-domain form such as com.example.app:/, or http on 127.0.0.1.',
  ],
  KEY_NOT_FOUND: [404, 'This key does not exist.'],
  TOO_MANY_KEYS: [422, 'A project can have at most 200 keys. Delete one first.'],
  ADDRESS_LIST_UNFIT: [422, 'Enter addresses such as 203.0.113.7, or networks such as 203.0.113.0/28.'],
  EXPIRY_PAST: [422, 'This time is not in the future, or too far in it.'],
  NO_PREVIOUS_SECRET: [409, 'There is no previous secret that still works.'],
  KEY_REFUSED: [401, 'The key is wrong, suspended or expired.'],
  ADDRESS_NOT_ALLOWED: [403, 'This key may not be used from this address.'],
  MISSING_CAPABILITY: [403, 'This key lacks the capability for this call. Turn it on, or use another key.'],
  ONE_ADDRESSEE: [422, 'Name exactly one of userId, homeId and deviceId.'],
  USER_NOT_FOUND: [404, 'This user does not exist.'],
  EMAIL_TAKEN: [409, 'Another user has this e-mail address.'],
  NO_EMAIL: [409, 'This user has no e-mail address.'],
  EMAIL_UNVERIFIED: [403, 'Verify your e-mail address first.'],
  USER_SUSPENDED: [403, 'This account is suspended.'],
  NO_USER_SESSION: [401, 'You are not signed in. Sign in and try again.'],
  SESSION_EXPIRED: [401, 'The session has ended. Sign in again.'],
  TOKEN_REUSED: [401, 'This token was used before, so the session was ended. Sign in again.'],
  PASSWORD_POLICY: [422, 'The password does not meet the rules of this project.'],
  PASSWORD_EXPIRED: [403, 'The password has expired. Choose a new one.'],
  PASSWORD_UNCHANGED: [422, 'Choose a password other than the old one.'],
  PASSWORD_LOGIN_RESTRICTED: [403, 'Signing in with a password is turned off. Use another way to sign in.'],
  EXTERNAL_ACCOUNTS: [403, 'The accounts of this project are managed elsewhere.'],
  REGISTRATION_RESTRICTED: [403, 'New accounts are by invitation only.'],
  CODE_WRONG: [400, 'This code is wrong, has expired or has already been used. Request a new one.'],
  PROOF_REQUIRED: [401, 'Prove that it is you: enter your password again, or sign in again.'],
  REDIRECT_UNKNOWN: [422, 'This redirect is not registered with the app.'],
  METHOD_LINKED: [409, 'This sign-in belongs to another account.'],
  LAST_WAY_IN: [409, 'This is the only way to sign in. Set a password or add another first.'],
  OWNS_HOME: [409, 'The user owns a home. Transfer or delete it first.'],
  EXPORT_NOT_FOUND: [404, 'This export does not exist, or its file has been removed.'],
  HOME_NOT_FOUND: [404, 'This home does not exist.'],
  HOME_RIGHT_MISSING: [403, 'Your role in this home does not allow this.'],
  HOME_INACTIVE: [409, 'This home is not active yet.'],
  HOME_MEMBER_NOT_FOUND: [404, 'This user is not a member of the home.'],
  HOME_OWNER: [409, 'A home always has one owner. Transfer it to another member first.'],
  HOME_FULL: [422, 'A home can have at most 100 members and 999 devices. Remove one first.'],
  HOME_CREATION_RESTRICTED: [403, 'Homes are created for users by this project.'],
  TOO_MANY_HOMES: [422, 'A user can be in at most 100 homes. Leave one first.'],
  TIME_ZONE_UNKNOWN: [422, 'This time zone does not exist. Use one such as Europe/Oslo.'],
  LEGACY_ACCESS_CONTROL: [
    409,
    'With legacy access control there are only members: no other roles, no guests.',
  ],
  GUEST_UNFIT: [422, 'A guest needs at least one device of the home, and a time that ends after it begins.'],
  ALREADY_A_HOME_MEMBER: [409, 'This user is already a member of the home.'],
  INVITATION_NOT_FOUND: [404, 'This invitation does not exist, was used or has expired.'],
  TOO_MANY_INVITATIONS: [422, 'A home can have at most 50 open invitations. Revoke one first.'],
  NO_TRANSFER: [409, 'This home is not offered to anybody.'],
  CLAIM_CODE_WRONG: [404, 'This code is wrong, or the device already belongs to a home.'],
  PROVISIONING_OFF: [403, 'Apps cannot create devices in this project. Claim one by its code.'],
  TICKET_INVALID: [401, 'This ticket has expired or was used. Request a new one.'],
  TOO_MANY_STREAMS: [429, 'Too many open streams. Close one first.'],
  // Proxy routes
  PROXY_ROUTE_NOT_FOUND: [404, 'This proxy route does not exist.'],
  TOO_MANY_PROXY_ROUTES: [422, 'A project can have at most 200 proxy routes. Delete one first.'],
  PROXY_FILTER_UNFIT: [
    422,
    'Home ids limit routes of homes, device classes those of devices, entity classes and ids those of entities. Remove the others.',
  ],
  ENTITY_NOT_FOUND: [404, 'This entity does not exist.'],
  NO_PROXY_ROUTE: [404, 'No proxy route takes this path. Check the path, or create a route for it.'],
  PROXY_PATH_REFUSED: [
    400,
    'This path cannot be forwarded. Send it without empty or dot segments, backslashes and encoded slashes.',
  ],
  PROXY_WEBSOCKET_REFUSED: [
    403,
    'This proxy route takes no WebSocket. Allow it in the route, or call it by HTTP.',
  ],
  PROXY_UNREACHABLE: [
    502,
    'The back end cannot be reached, or broke off. Try again; its developer finds the cause in the HTTP log.',
  ],
  PROXY_TIMEOUT: [504, 'The back end did not answer in time. Try again later.'],
  PROXY_LOOP: [
    508,
    'This call came through this platform before. Point the proxy route at the back end itself.',
  ],
  PROXY_BUSY: [
    503,
    'The back end has too many calls at once. Wait for the time given in Retry-After, then try again.',
  ],
  PROXY_OPEN: [
    503,
    'The back end failed too often, so it is not called for some seconds. Wait for the time given in Retry-After, then try again.',
  ],
  // Firmware
  COMPONENT_NOT_FOUND: [404, 'This component does not exist.'],
  COMPONENT_VERSION_NOT_FOUND: [404, 'This component version does not exist.'],
  BUNDLE_NOT_FOUND: [404, 'This bundle does not exist.'],
  CHANNEL_NOT_FOUND: [404, 'This channel does not exist.'],
  ROLLOUT_NOT_FOUND: [404, 'This rollout does not exist.'],
  UPLOAD_NOT_FOUND: [404, 'This upload does not exist, is complete or has expired. Start another.'],
  NAME_TAKEN: [409, 'This name is taken. Choose another.'],
  NAME_IN_USE: [409, 'A bundle contains it, and devices know it by this name. Create another instead.'],
  TOO_MANY_COMPONENTS: [422, 'A project can have at most 200 components. Delete one first.'],
  TOO_MANY_VERSIONS: [422, 'A component can have at most 1,000 versions. Delete one first.'],
  TOO_MANY_BUNDLES: [422, 'A project can have at most 5,000 bundles. Delete one first.'],
  TOO_MANY_CHANNELS: [422, 'A project can have at most 500 channels. Delete one first.'],
  VERSION_HAS_FILE: [409, 'This version already has a file. Create another version.'],
  VERSION_NOT_READY: [409, 'A version of the bundle has no verified file yet. Upload it first.'],
  COMPONENT_TWICE: [422, 'A bundle takes one version of each component. Remove the others.'],
  PARTS_UNFIT: [
    422,
    'Parts have at most 64 MiB, and at least 5 MiB if there are several. Choose another number of parts.',
  ],
  PARTS_MISSING: [409, 'Not all parts are stored. Read the upload, and send those that are missing.'],
  DIGEST_MISMATCH: [422, 'The part does not match its Content-Digest. Send it again.'],
  SIGNATURE_INVALID: [422, 'The signature was not made with a signing key of the component over this file.'],
  URL_EXPIRED: [403, 'This link has expired. Read your target again.'],
  BUNDLE_UNCHANGED: [409, 'The channel already points at this bundle.'],
  ROLLOUT_RUNNING: [409, 'The channel has an unfinished rollout. Stop it first.'],
  ROLLOUT_STATE: [409, 'The rollout is in a state in which this is not possible. Reload it.'],
  STEPS_UNFIT: [422, 'The steps must rise to 100 %, and those that have begun cannot change.'],
  NOTHING_TO_RETRY: [409, 'The update of this device has not failed and was not declined.'],
  // Smart modules
  SMART_MODULE_NOT_FOUND: [404, 'This smart module does not exist.'],
  MODULE_TYPE_NOT_FOUND: [404, 'This type of smart module does not exist.'],
  MODULE_RUN_NOT_FOUND: [404, 'This run does not exist, or its record has expired.'],
  MODULE_SUSPENDED: [409, 'The smart module is suspended. Resume it first.'],
  INVALID_MODULE_CONFIG: [422, 'The configuration does not fit. Correct the marked fields.'],
  TOO_MANY_MODULES: [422, 'A project can have at most 100 smart modules. Delete one first.'],
  LABEL_TAKEN: [409, 'Another smart module has this label. Choose another.'],
  DATA_SOURCE_UNFIT: [422, 'This type of smart module cannot take data from one of the modules named.'],
  EVENT_NOT_FOUND: [404, 'This event does not exist, or its record has expired.'],
  NOTHING_TO_TEST: [409, 'There is no event yet that this module could be tested with.'],
  // Commands and device logs
  TOO_MANY_COMMANDS: [422, 'This device has 1,000 queued commands. Cancel some, or wait until they expire.'],
  COMMAND_NOT_FOUND: [404, 'This command does not exist, or its record has expired.'],
  COMMAND_SENT: [409, 'The command has already been sent and can no longer be cancelled.'],
  LOG_RETRIEVAL_OFF: [409, 'Log retrieval is disabled in this project. Enable it in the settings.'],
  LOG_REQUEST_PENDING: [
    409,
    'There is a log request in pending. Please cancel it before creating a new one.',
  ],
  LOG_REQUEST_NOT_FOUND: [404, 'This log request does not exist.'],
  LOG_REQUEST_OVER: [409, 'The log request is closed and can no longer be cancelled.'],
  START_NOT_BEFORE_END: [422, 'Start date must be before end date.'],
  // Files
  FILE_NOT_FOUND: [404, 'This file cannot be downloaded.'],
  LINK_EXPIRED: [403, 'This link has expired or was altered. Request a new one.'],
  UPLOAD_OVER: [409, 'This upload is closed.'],
  FILE_UNFIT: [422, 'This type of file is not accepted here.'],
  STORAGE_FULL: [507, 'There is no storage space left. Try again later.'],
  // Device connections
  UPGRADE_REQUIRED: [426, 'Connect to this address by WebSocket, with the subprotocol mqtt.'],
  DEVICE_KEY_WRONG: [401, 'The device id or key is wrong.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type Reason = keyof typeof reasons;

/** The body of every error answer. */
export interface ProblemAnswer {
  reason: Reason;
  message: string;
  context?: unknown;
  /** Field name to reason code. */
  fields?: Record<string, string>;
}

/** The error the server throws and the client receives: one reason, optionally with the fields at fault. */
export class Problem extends Error {
  readonly reason: Reason;
  readonly fields: Record<string, string> | undefined;
  readonly context: unknown;
  readonly retryAfterS: number | undefined;

  constructor(
    reason: Reason,
    more: { message?: string; fields?: Record<string, string>; context?: unknown; retryAfterS?: number } = {},
  ) {
    super(more.message ?? reasons[reason][1]);
    this.name = 'Problem';
    this.reason = reason;
    this.fields = more.fields;
    this.context = more.context;
    this.retryAfterS = more.retryAfterS;
  }

  get status(): number {
    return reasons[this.reason][0];
  }

  toAnswer(): ProblemAnswer {
    return {
      reason: this.reason,
      message: this.message,
      ...(this.context !== undefined && { context: this.context }),
      ...(this.fields && { fields: this.fields }),
    };
  }
}
