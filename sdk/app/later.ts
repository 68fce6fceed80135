/** A promise that is resolved from outside; `Promise.withResolvers` is missing in some supported runtimes. */
export function later<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>(given => {
    resolve = given;
  });
  return { promise, resolve };
}
