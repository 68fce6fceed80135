interface Heard {
  connectionStatus: 'connected' | 'disconnected' | 'never';
  connection: {
    lastMessageAt?: string | undefined;
    protocol?: string | undefined;
    since?: string | undefined;
  };
}

/**
 * Whether a device sends messages by single HTTP calls. Such a device counts as connected only while it polls for
 * commands.
 */
export function speaksByCalls({ connection, connectionStatus }: Heard): boolean {
  const { lastMessageAt, protocol, since } = connection;
  if (!lastMessageAt || connectionStatus === 'connected') return false;
  return connectionStatus === 'never' || (protocol === 'http' && (!since || lastMessageAt > since));
}
