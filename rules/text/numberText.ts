/**
 * "1,234.5": a number as `toLocaleString('en')` writes it. That has to load the number formats first, which takes 20 ms
 * on a desktop and 100 ms on a phone: more than the rest of a screen's first render.
 */
export function numberText(value: number, fractionDigitsMax = 3): string {
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return value.toLocaleString('en');
  const [whole = '', fraction = ''] = value.toFixed(fractionDigitsMax).split('.');
  const digits = fraction.replace(/0+$/, '');
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (digits && `.${digits}`);
}
