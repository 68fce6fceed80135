/** Why the platform cannot start, as sentences for the operator. Printed without a stack trace. */
export class StartFault extends Error {
  override name = 'StartFault';
}
