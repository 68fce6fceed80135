/**
 * Ports of services that do not speak HTTP, or that trust anyone who reaches them: databases, queues, container hosts,
 * and the ports that browsers refuse for the same reason. Below 1024, only the well-known port of the scheme is
 * allowed.
 */
const services = new Set([
  // Files, directories, remote access
  1080, 1433, 1434, 1521, 1719, 1720, 1723, 2049, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5433, 5900,
  5901, 5984, 6000, 6432, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 7000, 7001, 7199, 9042, 9160, 10080,
  // Queues and brokers
  1883, 4222, 5222, 5671, 5672, 6222, 8222, 8883, 9092, 9093, 61613, 61616,
  // Caches and search engines
  6379, 6380, 8086, 9200, 9300, 11211, 16379, 26379, 27017, 27018, 27019,
  // Services that control other machines
  2181, 2375, 2376, 2377, 2379, 2380, 4243, 6443, 8200, 8300, 8301, 8500, 8600, 10250, 10255, 10256,
]);

/** The port of a URL; undefined if it is not allowed. */
export function portOf({ protocol, port }: URL): number | undefined {
  const own = protocol === 'https:' ? 443 : 80;
  const given = port === '' ? own : Number(port);
  if (given === own) return given;
  return given >= 1024 && !services.has(given) ? given : undefined;
}
