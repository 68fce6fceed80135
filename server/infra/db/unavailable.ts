import { errorCode } from '#server/infra/errorCode.ts';

/**
 * The database cannot answer at the moment: it restarts, is out of connections or disk space, is read-only because
 * another server takes over, or cannot be reached. Whether a write that met this error was saved is unknown.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/**
 * SQLSTATE classes: 08 connection, 53 insufficient resources, 57P shutdown or startup in progress; also a timeout, and
 * a write to a read-only database.
 */
const states = /^(08...|53...|57P0[1-5]|57014|25006)$/;

const systemCodes = new Set([
  'ECONNREFUSED',
  // Its queue for new connections is full.
  'EAGAIN',
  'ECONNABORTED',
  // There is no port, or no descriptor, for another connection.
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** The statement took too long; a retry would take as long. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && errorCode(error.cause) === '57014';
}

/** It was a write, in a read-only transaction or on a standby. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && errorCode(error.cause) === '25006';
}

/** There is no room on the disk. */
export function isFull(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && errorCode(error.cause) === '53100';
}

/** The database accepted a connection or a statement, and did not answer. */
export function isHanging(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailable &&
    error.cause instanceof Error &&
    (errorCode(error.cause) === 'EAGAIN' || hangingSays.test(error.cause.message))
  );
}

/** The driver has no codes for these errors. */
const driverSays =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (was closed|has encountered a connection error))/;

const hangingSays =
  /^(timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated due to connection timeout)/;

/**
 * Turns a driver's error into the typed one if the connection, not the statement, is at fault. Only for errors that
 * come directly from the driver: a missing file has the same code as a missing socket.
 */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  const code = errorCode(error);
  const ours =
    code === undefined ? driverSays.test(error.message) : systemCodes.has(code) || states.test(code);
  return ours
    ? new DatabaseUnavailable(`The database is not available: ${error.message}`, { cause: error })
    : error;
}
