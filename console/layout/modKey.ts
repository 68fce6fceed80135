/** What people press for commands, and how it is written. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
export const modKey = isApple ? '⌘' : 'Ctrl ';
