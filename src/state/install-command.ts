/** How the program is installed: npm 12 blocks install scripts that are not allowed, and older versions take the option too. */
export const installCommand = 'npm install --global --allow-scripts=better-sqlite3 anamnesis';
