import { type FailureClass, type UpdateCode, updateCodes } from '#contract/deviceWire.ts';

/**
 * Why an update failed. Your own parts throw it to report the reason; any other error counts as `network` from a
 * download, which is retried, and as `install_failed` from the other parts.
 */
export class UpdateFault extends Error {
  override name = 'UpdateFault';
  /** One of the codes of the protocol, or your own, which is `final`: lower-case letters, digits and `_`. */
  readonly code: string;

  constructor(code: UpdateCode | (string & {}), message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = codeOf(code);
  }

  get class(): FailureClass {
    const classes: Record<string, FailureClass> = updateCodes;
    return classes[this.code] ?? 'final';
  }
}

/** The platform rejects a report with a code of another form, and the failure with it: `Low-battery!` → `low_battery`. */
function codeOf(given: string): string {
  const words = given.toLowerCase().match(/[a-z0-9]+/g) ?? ['install_failed'];
  return words.join('_').slice(0, 64);
}

/**
 * Converts a thrown error to a fault: a full disk is recognized by its error names in Node and browsers, anything else
 * gets the given code.
 */
export function faultOf(error: unknown, code: UpdateCode): UpdateFault {
  if (error instanceof UpdateFault) return error;
  const text = error instanceof Error ? error.message : String(error);
  const names: unknown[] = error instanceof Error ? [error.name, 'code' in error && error.code] : [];
  const isFull = ['ENOSPC', 'EDQUOT', 'QuotaExceededError'].some(name => names.includes(name));
  return new UpdateFault(isFull ? 'no_space' : code, text, { cause: error });
}
