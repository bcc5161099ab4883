/** Reads `.anamnesis/project`, which names a folder's project: only a request, and links are not followed. */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../events/faults.js';
import { whyNoKey } from './project-key.js';

export type Marker = {
  /** The folder whose project it names. */
  readonly folder: string;
  readonly file: string;
} & (
  | { readonly key: string; readonly why?: undefined }
  /** Why it names nothing, as a phrase that does not repeat its content. */
  | { readonly key?: undefined; readonly why: string }
);

const maxMarkerBytes = 4096;

/** Returns undefined when there is no marker. `folder` must be a real path, without links. */
export const readMarker = (folder: string): Marker | undefined => {
  const markerFolder = join(folder, '.anamnesis');
  const file = join(markerFolder, 'project');
  const place = { folder, file };
  try {
    const outer = lstatSync(markerFolder, { throwIfNoEntry: false });
    if (outer === undefined) return undefined;
    if (outer.isSymbolicLink()) return { ...place, why: 'its folder is a link' };
    const inner = outer.isDirectory() ? lstatSync(file, { throwIfNoEntry: false }) : undefined;
    if (inner === undefined) return undefined;
    if (!inner.isFile()) return { ...place, why: inner.isSymbolicLink() ? 'it is a link' : 'it is not a file' };
    if (inner.size > maxMarkerBytes) return { ...place, why: `it has more than ${maxMarkerBytes} bytes` };
    const key = readFileSync(file, 'utf8').trim();
    const why = /[\n\r]/.test(key) ? 'it has more than one line' : whyNoKey(key);
    return why === undefined ? { ...place, key } : { ...place, why };
  } catch (error) {
    return isNoFolder(error) ? undefined : { ...place, why: "it can't be read" };
  }
};

/** There can be no marker inside a file, or below a name that is too long for a folder. */
const isNoFolder = (error: unknown): boolean => ['ENOTDIR', 'ENAMETOOLONG'].includes(codeOf(error));
