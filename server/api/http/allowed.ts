const inOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The `Allow` header of an address with these methods. */
export function allowed(methods: readonly string[]): string {
  const all = new Set(methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  return inOrder.filter(method => all.has(method)).join(', ');
}
