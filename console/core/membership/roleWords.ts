export const roleWords = { owner: 'Owner', developer: 'Developer', viewer: 'Viewer' } as const;
