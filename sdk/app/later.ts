/** A promise to be resolved from outside; `Promise.withResolvers` is younger than what this is to run in. */
export function later<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>(given => {
    resolve = given;
  });
  return { promise, resolve };
}
