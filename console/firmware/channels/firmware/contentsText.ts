import type { ChannelFirmware } from '#contract/channelFirmware.ts';

/** "main 3.3.0, radio 1.1.0" */
export const contentsText = (contents: Readonly<NonNullable<ChannelFirmware['current']>>): string =>
  contents.map(({ componentName, versionName }) => `${componentName} ${versionName}`).join(', ');
