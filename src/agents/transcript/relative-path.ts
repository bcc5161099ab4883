/** Shortens paths for a note. Pure: the transcript may come from another operating system. */

/** Returns the path relative to the first folder that contains it, else in full. Windows paths get forward slashes. */
export const pathUnder = (folders: readonly string[], path: string): string => {
  const shown = isWindowsPath(path) ? path.replaceAll('\\', '/') : path;
  for (const folder of folders) {
    const root = (isWindowsPath(folder) ? folder.replaceAll('\\', '/') : folder).replace(/(?<!\/)\/+$/, '');
    if (root !== '' && shown.startsWith(`${root}/`)) return shown.slice(root.length + 1);
  }
  return shown.replace(/^(?:\.\/)+/, '');
};

const isWindowsPath = (path: string): boolean => /^(?:[A-Za-z]:)?\\|^[A-Za-z]:\//.test(path);
