/** SHA-1 and SHA-256. Loaded when something is first hashed: it brings streams with it, 5 ms that most prompts do without. */
import type { Hash } from 'node:crypto';

export const createHash = (algorithm: 'sha1' | 'sha256'): Hash =>
  process.getBuiltinModule('node:crypto').createHash(algorithm);
