/** Whether init registered hooks; a plugin's hook asks at every event, so this loads nothing but node:fs. */
import { readFileSync } from 'node:fs';

/** True when the record of that store says that Claude Code's settings hold our hooks. Never throws. */
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
