import { expect, it } from 'vitest';
import { isRedirect } from './redirects.ts';

it.each([
  'https://app.nordlys.example/signed-in',
  'https://app.nordlys.example',
  'https://app.nordlys.example:8443/signed-in?from=app',
  'https://xn--nrdlys-bya.example/',
  'com.nordlys.app:/signed-in',
  'com.nordlys.app://signed-in',
  'com.nordlys.home-app:/',
  'http://127.0.0.1:8910/signed-in',
  'http://127.0.0.1/',
  'http://[::1]:8910/signed-in',
])('%s is accepted', text => {
  expect(isRedirect(text)).toBe(true);
});

it.each([
  '',
  ' https://app.nordlys.example',
  'http://app.nordlys.example/signed-in',
  'http://localhost:8910/',
  'http://127.0.0.1.nordlys.example/',
  'http://127.1/',
  'http://0x7f.0.0.1/',
  'http://127.0.0.1@evil.example/',
  'https://app.nordlys.example@evil.example/',
  'https://user:secret@app.nordlys.example/',
  'https://app.nordlys.example/#',
  'https://app.nordlys.example/#token',
  'https://*.nordlys.example/',
  'https://app.nordlys.example/*',
  'https://app.nordlys.example/a/../b',
  'https://app.nordlys.example/%2e%2e/b',
  'https://app.nordlys.example:443/',
  'https://App.Nordlys.example/',
  'HTTPS://app.nordlys.example/',
  'https:\\\\app.nordlys.example',
  'https:/app.nordlys.example',
  'https:app.nordlys.example',
  'https:///app.nordlys.example',
  'https://app.nordlys.example\\@evil.example',
  'https://app.nordlys.example/\r\nset-cookie: a=b',
  'https://app.nordlys.example/a b',
  'https://app.nørdlys.example/',
  'https://203.0.113.7/',
  'https://3405803783/',
  'https://[2001:db8::1]/',
  'https://intranet/',
  'https://',
  'javascript:alert(1)',
  'javascript.x:alert(1)',
  'data:text/html,hello',
  'file:///etc/passwd',
  'blob:https://app.nordlys.example/1',
  'ftp://app.nordlys.example/',
  'nordlys://signed-in',
  'com.nordlys.app',
  'com.nordlys.app:signed-in',
  'com..app:/',
  '.nordlys.app:/',
  'COM.nordlys.app:/',
  'com.nordlys.app:/a#b',
  'com.nordlys.app:///a\\b',
  `https://app.nordlys.example/${'a'.repeat(500)}`,
])('%s is refused', text => {
  expect(isRedirect(text)).toBe(false);
});

it('a long hostile text is checked quickly', () => {
  expect(isRedirect(`a${'-a'.repeat(240)}!`)).toBe(false);
  expect(isRedirect(`a${'.a'.repeat(240)}!`)).toBe(false);
});
