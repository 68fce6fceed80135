/** The reported property that most resembles a temperature; `temperature` if nothing is reported yet. */
export function propertyLike(numbers: readonly string[]): string {
  const isName = (name: string) => /^[A-Za-z_]\w*$/.test(name);
  const named = numbers.filter(isName);
  return named.find(name => /temp|celsius/i.test(name)) ?? named[0] ?? 'temperature';
}
