/** Reads objects of a repository from git's output one after another, in bounded memory. */

export type GitObject = {
  readonly id: string;
  /** `blob`, `tree`, `commit`, `tag`, or `missing` for an id that git does not have. */
  readonly type: string;
  readonly bytes: Buffer;
};

/** Parses the output of `git cat-file --batch`, holding one object at a time. */
export async function* readObjects(output: AsyncIterable<Buffer>): AsyncGenerator<GitObject> {
  let parts: Buffer[] = [];
  let length = 0;
  let wanted = 1;
  for await (const chunk of output) {
    parts.push(chunk);
    length += chunk.length;
    if (length < wanted) continue;
    let rest = parts.length === 1 ? chunk : Buffer.concat(parts);
    for (;;) {
      const end = rest.indexOf(10);
      if (end === -1) {
        wanted = rest.length + 1;
        break;
      }
      const [id = '', type = '', size = '0'] = rest.toString('latin1', 0, end).split(' ');
      const bytes = type === 'missing' ? 0 : Number(size) + 1;
      if (rest.length < end + 1 + bytes) {
        wanted = end + 1 + bytes;
        break;
      }
      yield { id, type, bytes: type === 'missing' ? empty : rest.subarray(end + 1, end + bytes) };
      rest = rest.subarray(end + 1 + bytes);
    }
    parts = [rest];
    length = rest.length;
  }
}

const empty = Buffer.alloc(0);

/** Yields the fields between NULs as they arrive, as bytes in latin1, because paths may not be valid UTF-8. */
export async function* readFields(output: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of output) {
    const fields = (rest + chunk.toString('latin1')).split('\0');
    rest = fields.pop() ?? '';
    yield* fields;
  }
  if (rest !== '') yield rest;
}

/** A parsed commit object. All text but the message is bytes in latin1. */
export type RawCommit = {
  readonly tree: string;
  readonly parents: readonly string[];
  /** `Name <address> seconds zone`. */
  readonly author: string;
  readonly committer: string;
  readonly encoding: string | undefined;
  readonly message: Buffer;
};

export const parseCommit = (bytes: Buffer): RawCommit => {
  const end = bytes.indexOf('\n\n');
  const head = (end === -1 ? bytes : bytes.subarray(0, end)).toString('latin1');
  const commit = {
    tree: '',
    parents: [] as string[],
    author: '',
    committer: '',
    encoding: undefined as string | undefined,
  };
  for (const line of head.split('\n')) {
    const space = line.indexOf(' ');
    const value = line.slice(space + 1);
    // Continuation lines of a signature begin with a space and so match no key.
    switch (line.slice(0, space)) {
      case 'tree':
        commit.tree = value;
        break;
      case 'parent':
        commit.parents.push(value);
        break;
      case 'author':
        commit.author = value;
        break;
      case 'committer':
        commit.committer = value;
        break;
      case 'encoding':
        commit.encoding = value;
        break;
    }
  }
  return { ...commit, message: end === -1 ? empty : bytes.subarray(end + 2) };
};
