/** Tells whether init registered hooks. A plugin's hook asks on every event, so this loads only node:fs. */
import { readFileSync } from 'node:fs';

/** Returns true if the store's record says that Claude Code's settings have our hooks. Never throws. */
export const hooksAreRegistered = (storeHome: string): boolean => {
  try {
    const record: unknown = JSON.parse(readFileSync(`${storeHome}/setup/record.json`, 'utf8'));
    const files = readKey(readKey(readKey(record, 'clients'), 'claude-code'), 'files');
    return Array.isArray(files) && files.some((file: unknown) => readKey(file, 'part') === 'hooks');
  } catch {
    return false;
  }
};

const readKey = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : undefined;
