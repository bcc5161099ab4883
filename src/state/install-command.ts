/** How to install the program: npm 12 blocks install scripts that aren't allowed; older versions accept the option. */
export const installCommand = 'npm install --global --allow-scripts=better-sqlite3 anamnesis';
