/** The fields in which two states of a form differ. */
export function changedNames<Values extends object>(
  before: Values,
  after: Values,
): (keyof Values & string)[] {
  const names = Object.keys(after) as (keyof Values & string)[];
  return names.filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
