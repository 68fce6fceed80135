/** `https://mooring.example.com` → `wss://mooring.example.com/mqtt`; a URL with a path keeps it. */
export function mqttUrl(text: string): string {
  const url = new URL(text);
  url.protocol = url.protocol.replace('http', 'ws');
  if (url.pathname === '/') url.pathname = '/mqtt';
  return url.href;
}
