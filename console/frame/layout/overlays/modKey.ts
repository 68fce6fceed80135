/** The modifier key for shortcuts, as it is written on this platform. */
const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
export const modKey = isApple ? '⌘' : 'Ctrl ';
