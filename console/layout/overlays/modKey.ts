/** What people press for commands, and how it is written. */
const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
export const modKey = isApple ? '⌘' : 'Ctrl ';
