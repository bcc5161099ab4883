/**
 * The file `.anamnesis/project`, which names the project of a folder. It may have come with somebody else's repository,
 * so no link is followed, little is read, and what it names is only a wish.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../events/error-code.js';
import { whyNoKey } from './project-key.js';

export type Marker = {
  /** The folder that it speaks for. */
  readonly folder: string;
  readonly file: string;
} & (
  | { readonly key: string; readonly why?: undefined }
  /** Why it names nothing, as a phrase. What it holds is not repeated. */
  | { readonly key?: undefined; readonly why: string }
);

const maxMarkerBytes = 4096;

/** Undefined where there is none; the folder is one without links in its path. */
export const readMarker = (folder: string): Marker | undefined => {
  const around = join(folder, '.anamnesis');
  const file = join(around, 'project');
  const place = { folder, file };
  try {
    const outer = lstatSync(around, { throwIfNoEntry: false });
    if (outer === undefined) return undefined;
    if (outer.isSymbolicLink()) return { ...place, why: 'its folder is a link' };
    const inner = outer.isDirectory() ? lstatSync(file, { throwIfNoEntry: false }) : undefined;
    if (inner === undefined) return undefined;
    if (!inner.isFile()) return { ...place, why: inner.isSymbolicLink() ? 'it is a link' : 'it is not a file' };
    const text = readAtMost(file, maxMarkerBytes + 1);
    if (text === undefined) return { ...place, why: 'it is not a file' };
    if (Buffer.byteLength(text) > maxMarkerBytes) return { ...place, why: `it has more than ${maxMarkerBytes} bytes` };
    const key = text.trim();
    const why = /[\n\r]/.test(key) ? 'it has more than one line' : whyNoKey(key);
    return why === undefined ? { ...place, key } : { ...place, why };
  } catch (error) {
    return isNoFolder(error) ? undefined : { ...place, why: "it can't be read" };
  }
};

/** Nothing can lie in a file, or below a name that is too long for any folder. */
const isNoFolder = (error: unknown): boolean => ['ENOTDIR', 'ENAMETOOLONG'].includes(codeOf(error));

/** Undefined when it is no regular file by the time that it is opened. */
const readAtMost = (file: string, most: number): string | undefined => {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) return undefined;
    const bytes = Buffer.alloc(most);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, most, 0));
  } finally {
    closeSync(descriptor);
  }
};
