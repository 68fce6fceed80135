/** A fetch that keeps cookies in the given map, as a browser does, and adds the headers `always` to each request. */
export function browserFetch(
  cookies: Map<string, string>,
  always: Record<string, string> = {},
): typeof fetch {
  return async (input, init) => {
    const headers = new Headers({ ...always, ...Object.fromEntries(new Headers(init?.headers)) });
    if (cookies.size > 0 && !headers.has('cookie')) {
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    }
    const response = await fetch(input, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (attributes.some(attribute => /^\s*max-age=0$/i.test(attribute))) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
}
