/** Why the platform cannot start, as sentences for its operator. Printed alone, without a stack. */
export class StartFault extends Error {
  override name = 'StartFault';
}
