/** Trusts or untrusts the marker that names a folder's project. */

import type { Refusal } from '../commands/refusals.js';
import { writeTrusted } from '../config/config-file.js';
import { type FoundProject, findProject, type TrustedProjects } from '../config/project.js';
import type { Settings } from '../config/settings.js';
import { redact } from '../events/note/redact.js';
import { withSetupLock } from './lock.js';

export type TrustChange = {
  readonly status: 'trusted' | 'untrusted' | 'unchanged';
  readonly folder: string;
  readonly named: string;
  readonly project: FoundProject;
};

/** Confirms the key that the nearest marker names. If it later names another, that must be confirmed again. */
export const trustProject = async (
  settings: Settings,
  folder: string,
  userHome: string,
): Promise<TrustChange | Refusal> => {
  const found = look(settings, folder, userHome);
  const { marker } = found;
  if (marker === undefined) return noMarker(folder);
  if (marker.key === undefined) return refuseMarker(marker.file, marker.why);
  const { folder: place, key: named } = marker;
  if (redact(named).text !== named) return refuseMarker(marker.file, 'what it names looks like a secret');
  if (found.ignored === undefined) return { status: 'unchanged', folder: place, named, project: found };
  const done = await writeTrust(settings, userHome, folder, (trusted) => ({ ...trusted, [place]: named }));
  return 'code' in done ? done : { status: 'trusted', folder: place, named, project: done };
};

/** Withdraws the confirmation, even for a marker that is gone. */
export const untrustProject = async (
  settings: Settings,
  folder: string,
  userHome: string,
): Promise<TrustChange | Refusal> => {
  const found = look(settings, folder, userHome);
  const place = found.marker?.folder ?? folder;
  const named = settings.trustedProjects?.[place];
  if (named === undefined)
    return { status: 'unchanged', folder: place, named: found.marker?.key ?? '', project: found };
  const without = (trusted: TrustedProjects): TrustedProjects =>
    Object.fromEntries(Object.entries(trusted).filter(([one]) => one !== place));
  const done = await writeTrust(settings, userHome, folder, without);
  return 'code' in done ? done : { status: 'untrusted', folder: place, named, project: done };
};

const look = ({ trustedProjects }: Pick<Settings, 'trustedProjects'>, folder: string, userHome: string): FoundProject =>
  findProject(folder, { userHome, trusted: trustedProjects });

const writeTrust = async (
  settings: Settings,
  userHome: string,
  folder: string,
  edit: (trusted: TrustedProjects) => TrustedProjects,
): Promise<FoundProject | Refusal> => {
  const refusal = await withSetupLock(settings.home, async () => writeTrusted(settings.home, edit));
  return refusal ?? look({ trustedProjects: edit(settings.trustedProjects ?? {}) }, folder, userHome);
};

const noMarker = (folder: string): Refusal => ({
  code: 'no-marker',
  message: `there is no .anamnesis/project in ${folder} or above`,
  next: 'write the key of the project into that file, on one line',
});

const refuseMarker = (file: string, why: string): Refusal => ({
  code: 'marker-invalid',
  message: `${file} can't be confirmed: ${why}`,
  next: 'write the key of one project into it, on one line',
});
