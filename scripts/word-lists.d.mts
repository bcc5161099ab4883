export const copyWordLists: (folder: string) => void;
