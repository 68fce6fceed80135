/** "1 device", "11,640 devices", "10,000+ devices": counting stops there. */
export function devicesText(count: number): string {
  const most = 10_000;
  const figure = count.toLocaleString('en') + (count >= most ? '+' : '');
  return count === 1 ? '1 device' : `${figure} devices`;
}
