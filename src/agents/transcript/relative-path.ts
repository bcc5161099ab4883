/** Paths as a note shows them. Pure: the transcript may come from another system than this one. */

/** Relative to the first of the folders that it lies under, with forward slashes; else as it is. */
export const pathUnder = (folders: readonly string[], path: string): string => {
  const shown = isWindowsPath(path) ? path.replaceAll('\\', '/') : path;
  for (const folder of folders) {
    const root = (isWindowsPath(folder) ? folder.replaceAll('\\', '/') : folder).replace(/(?<!\/)\/+$/, '');
    if (root !== '' && shown.startsWith(`${root}/`)) return shown.slice(root.length + 1);
  }
  return shown.replace(/^(?:\.\/)+/, '');
};

const isWindowsPath = (path: string): boolean => /^(?:[A-Za-z]:)?\\|^[A-Za-z]:\//.test(path);
