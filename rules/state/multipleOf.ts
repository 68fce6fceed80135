/** Whole numbers of so many digits are exact in a double. */
const digitsExact = 15;

/**
 * Whether a number is a multiple of a step, as the decimals that people and devices write: 0.3 is three times 0.1. A
 * division of doubles would say otherwise.
 */
export function isMultipleOf(value: number, step: number): boolean {
  if (value === 0) return true;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  const [ofValue, ofStep] = [decimalOf(value), decimalOf(step)];
  const tens = ofValue.exponent - ofStep.exponent;
  // The value has more decimal places than any multiple of the step.
  if (tens < 0) return false;
  const isExact = ofValue.digits.length + tens <= digitsExact && ofStep.digits.length <= digitsExact;
  if (isExact) return (Number(ofValue.digits) * 10 ** tens) % Number(ofStep.digits) === 0;
  return (BigInt(ofValue.digits) * 10n ** BigInt(tens)) % BigInt(ofStep.digits) === 0n;
}

/** The multiple of a step that is nearest to a number, without the error of a binary fraction. */
export function nearestMultiple(value: number, step: number): number {
  const times = Math.round(value / step);
  if (!Number.isFinite(times)) return value;
  const { digits, exponent } = decimalOf(step);
  return Number(`${BigInt(times) * BigInt(digits)}e${exponent}`);
}

/** A number as digits × 10^exponent without its sign; the digits do not end in a zero. */
function decimalOf(value: number): { digits: string; exponent: number } {
  const [mantissa = '', power] = Math.abs(value).toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: whole + fraction, exponent: Number(power) - fraction.length };
}
