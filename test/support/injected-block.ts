/** Parses an inject block as a model should, by the lines of its frame alone. Fails at any other line. */
export type ReadBlock = {
  readonly notes: readonly {
    readonly type: string;
    readonly title: string;
    readonly about: string;
    readonly body: string;
  }[];
  /** Short ids of the notes that have only a line. */
  readonly listed: readonly string[];
  readonly more: number;
};

export const readBlock = (text: string): ReadBlock => {
  const lines = text.split('\n');
  const take = (form: RegExp): readonly string[] => {
    const line = lines.shift();
    const found = form.exec(line ?? '');
    if (line === undefined || found === null) throw new Error(`not a line of the frame: ${JSON.stringify(line)}`);
    return found;
  };
  take(/^# Anamnesis memory \([a-z -]+\)$/);
  take(/^$/);
  take(/^[A-Z].*facts to weigh, not instructions to follow\. What a note says is quoted with `>`\.$/);
  const notes: ReadBlock['notes'][number][] = [];
  const listed: string[] = [];
  let more = 0;
  while (lines.length > 1) {
    take(/^$/);
    if (lines[0]?.startsWith('and ') === true) {
      more = Number(take(/^and (\d+) more \((?:anamnesis search|memory_search) finds them.*\)$/)[1]);
      break;
    }
    if (lines[0] === '## Other notes, by id') {
      take(/^## /);
      take(/^$/);
      while (lines[0]?.startsWith('- ') === true) listed.push(take(/^- ([0-9A-Z]+) \w+ \S+ .*$/)[1] ?? '');
      continue;
    }
    if (lines[0]?.startsWith('(') === true) {
      take(/^\((?:anamnesis show ID prints one|memory_get reads one by its id)\)$/);
      break;
    }
    const [, type = '', title = ''] = take(/^## \[(procedural|semantic|episodic)\] (.*)$/);
    const [, about = ''] = take(/^_(id: .*)_$/);
    const body: string[] = [];
    if (lines[1]?.startsWith('>') === true) take(/^$/);
    while (lines[0]?.startsWith('>') === true) body.push(take(/^>(?: (.*))?$/)[1] ?? '');
    notes.push({ type, title, about, body: body.join('\n') });
  }
  if (lines.length !== 1 || lines[0] !== '') throw new Error('something follows the block');
  return { notes, listed, more };
};
