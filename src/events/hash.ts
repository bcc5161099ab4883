/** Hashes and random names. node:crypto is loaded on first use: it loads streams too, 5 ms that most prompts don't need. */
import type { Hash } from 'node:crypto';

export const createHash = (algorithm: 'sha1' | 'sha256'): Hash =>
  process.getBuiltinModule('node:crypto').createHash(algorithm);

export const randomHex = (bytes: number): string =>
  process.getBuiltinModule('node:crypto').randomBytes(bytes).toString('hex');
