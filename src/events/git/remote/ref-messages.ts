/** Reads the messages of the commits that refs point to. */
import { GitError, type GitFolders, runGit } from '../git-process.js';

export type RefMessage = { readonly ref: string; readonly message: string };

/** Returns the messages of all refs below a folder, by name. One git call, however many there are. */
export const readRefMessages = async (folders: GitFolders, below: string): Promise<readonly RefMessage[]> => {
  const output = await runGit(folders, ['for-each-ref', `--format=${recordFormat}`, below]).catch((error) => {
    // One ref to a missing object fails the whole listing.
    if (error instanceof GitError) return readOneByOne(folders, below);
    throw error;
  });
  const fields = output.toString('utf8').split('\0');
  const messages: RefMessage[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    messages.push({ ref: (fields[at] ?? '').trim(), message: fields[at + 1] ?? '' });
  return messages;
};

const recordFormat = '%(refname)%00%(contents)%00';

const readOneByOne = async (folders: GitFolders, below: string): Promise<Buffer> => {
  const refs = (await runGit(folders, ['for-each-ref', '--format=%(refname)', below])).toString('utf8').split('\n');
  const records: Buffer[] = [];
  for (const ref of refs.filter((name) => name !== '')) {
    const record = await runGit(folders, ['for-each-ref', `--format=${recordFormat}`, ref]).catch(() => undefined);
    if (record !== undefined) records.push(record);
  }
  return Buffer.concat(records);
};
