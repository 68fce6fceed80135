/** How a role is called on screen. */
export const roleWords = { owner: 'Owner', developer: 'Developer', viewer: 'Viewer' } as const;
