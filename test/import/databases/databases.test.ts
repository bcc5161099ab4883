import { copyFileSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recogniseFormat } from '../../../src/import/formats.js';
import { folderWith, notesOf, problemsOf, readAll } from '../support.js';

/** Creates a database with these statements and closes it. */
const databaseWith = (sql: string, { name = 'claude-mem.db', wal = false } = {}): string => {
  const file = join(folderWith({}), name);
  const database = new Database(file);
  if (wal) database.pragma('journal_mode = WAL');
  database.exec(sql);
  database.close();
  return file;
};

/** The tables of the current version of claude-mem, as far as an import reads them. */
const current = `
  CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL, applied_at TEXT NOT NULL);
  CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT UNIQUE NOT NULL,
    memory_session_id TEXT UNIQUE, project TEXT NOT NULL, started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'active', custom_title TEXT);
  CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
    text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT,
    files_modified TEXT, prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0, content_hash TEXT,
    merged_into_project TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
  CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL,
    project TEXT NOT NULL, request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT,
    files_read TEXT, files_edited TEXT, notes TEXT, merged_into_project TEXT, created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL);
  CREATE TABLE directives (id INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL DEFAULT 'global', project TEXT,
    content TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'active', created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL, updated_at_epoch INTEGER NOT NULL);
  INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, started_at, started_at_epoch, custom_title)
    VALUES ('c1', 'm1', 'Shop', '2026-05-01T10:00:00.000Z', 1777629600000, 'Payments');
  INSERT INTO observations (memory_session_id, project, type, title, subtitle, facts, narrative, concepts, files_read,
    files_modified, created_at, created_at_epoch)
    VALUES ('m1', 'Shop', 'decision', 'Retries stay at three', 'The gateway counts them', '["Three retries", "Then a page"]',
      'We tried five and were blocked.', '["trade-off", "gotcha"]', '["src/pay.ts"]', '[]', '2026-05-01T10:00:00.000Z',
      1777629600000);
  INSERT INTO observations (memory_session_id, project, type, title, merged_into_project, created_at, created_at_epoch)
    VALUES ('m1', 'shop/worktree-a', 'bugfix', 'Tax was rounded twice', 'shop', 'x', 1777629601000);
  INSERT INTO session_summaries (memory_session_id, project, request, learned, next_steps, files_edited, created_at,
    created_at_epoch) VALUES ('m1', 'Shop', 'Fix the payments', 'The gateway blocks.', 'Ask them.', '["a.ts","b.ts"]',
      '2026-05-01T11:00:00.000Z', 1777633200000);
  INSERT INTO session_summaries (memory_session_id, project, completed, created_at, created_at_epoch)
    VALUES ('m1', 'Shop', 'Nothing.', '2026-05-01T11:00:00.000Z', 1777633200000);
  INSERT INTO directives (scope, project, content, created_at, created_at_epoch, updated_at_epoch)
    VALUES ('global', 'Shop', 'Always write tests.', 'x', 1777629600000, 1777629700000);
  INSERT INTO directives (scope, content, status, created_at, created_at_epoch, updated_at_epoch)
    VALUES ('global', 'Never write tests.', 'retired', 'x', 1, 1);
`;

describe('import from claude-mem', () => {
  it('imports observations, session summaries and active directives', async () => {
    const file = databaseWith(current);
    expect(recogniseFormat(file)).toBe('claude-mem');
    expect(recogniseFormat(join(file, '..'))).toBe('claude-mem');
    const items = await readAll(file, 'claude-mem');
    expect(problemsOf(items)).toEqual([]);
    const at = Date.UTC(2026, 4, 1, 10);
    expect(notesOf(items)).toEqual([
      {
        sourceKey: 'claude-mem:m1/observation/1',
        title: 'Retries stay at three',
        body:
          'The gateway counts them\n\nWe tried five and were blocked.\n\n- Three retries\n- Then a page\n\n' +
          'Files read: src/pay.ts\n',
        tags: ['import', 'kind:decision', 'trade-off', 'gotcha'],
        keywords: [],
        project: 'shop',
        type: 'semantic',
        createdAtMs: at,
        updatedAtMs: undefined,
      },
      expect.objectContaining({ title: 'Tax was rounded twice', body: '', project: 'shop', type: 'episodic' }),
      expect.objectContaining({
        sourceKey: 'claude-mem:m1/summary/1',
        title: 'Fix the payments',
        body:
          '## Request\n\nFix the payments\n\n## Learned\n\nThe gateway blocks.\n\n## Next steps\n\nAsk them.\n\n' +
          'Files edited: a.ts, b.ts\n',
        type: 'episodic',
        tags: ['import', 'kind:session-summary'],
      }),
      expect.objectContaining({ title: 'Payments', body: '## Completed\n\nNothing.\n' }),
      expect.objectContaining({
        sourceKey: `claude-mem:${at}/directive/1`,
        body: 'Always write tests.\n',
        project: 'global',
        type: 'procedural',
        updatedAtMs: at + 100_000,
      }),
    ]);
    expect(await readAll(join(file, '..'), 'claude-mem')).toEqual(items);
  });

  it('reads the first version of its tables, before titles and before sessions were renamed', async () => {
    const file = databaseWith(`
      CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, sdk_session_id TEXT NOT NULL, project TEXT NOT NULL,
        text TEXT NOT NULL, type TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
      CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, sdk_session_id TEXT UNIQUE NOT NULL, project TEXT NOT NULL,
        request TEXT, notes TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
      INSERT INTO observations VALUES (7, 's7', 'shop', 'Deploys need the VPN.', 'discovery', '2025-10-19T08:00:00Z', 1760860800000);
      INSERT INTO session_summaries VALUES (1, 's7', 'shop', NULL, 'Done.', '2025-10-19T08:00:00Z', 1760860800000);
    `);
    expect(recogniseFormat(file)).toBe('claude-mem');
    expect(notesOf(await readAll(file, 'claude-mem'))).toMatchObject([
      {
        sourceKey: 'claude-mem:s7/observation/7',
        title: '',
        body: 'Deploys need the VPN.\n',
        createdAtMs: 1760860800000,
      },
      { sourceKey: 'claude-mem:s7/summary/1', title: '', body: '## Notes\n\nDone.\n' },
    ]);
  });

  it('needs no column but the text', async () => {
    const file = databaseWith(
      "CREATE TABLE Observations (TITLE TEXT); INSERT INTO Observations VALUES ('T'), (NULL), ('');",
    );
    const items = await readAll(file, 'claude-mem');
    expect(notesOf(items)).toMatchObject([{ title: 'T', project: undefined, createdAtMs: undefined }]);
    expect(problemsOf(items)).toEqual([
      'claude-mem.db: Observations ?: the row has no text',
      'claude-mem.db: Observations ?: the row has no text',
    ]);
  });

  it('reports rows with values of the wrong type, and imports what it can of the others', async () => {
    const file = databaseWith(`
      CREATE TABLE observations (id, memory_session_id, project, type, title, facts, concepts, created_at, created_at_epoch);
      INSERT INTO observations VALUES (1, 's', 'p', 'decision', x'ff00', NULL, NULL, NULL, NULL);
      INSERT INTO observations VALUES (2, 's', 'p', 'decision', 'a' || char(0) || 'b', NULL, NULL, NULL, NULL);
      INSERT INTO observations VALUES (3, 's', 7, 4.5, 12, '{"not": "a list"}', '[1, null, "c", ["d"]]', 'soon', 'later');
      INSERT INTO observations VALUES (4, 's', 'p', 'decision', 'T', '[broken', '', '2026-05-01T10:00:00Z', -5);
      INSERT INTO observations VALUES (5, 's', 'p', 'decision', printf('%.*c', 1100000, 'x'), NULL, NULL, NULL, 1e300);
    `);
    const items = await readAll(file, 'claude-mem');
    expect(problemsOf(items)).toEqual([
      'claude-mem.db: observations 1: title is not text',
      'claude-mem.db: observations 2: title has a NUL character',
      expect.stringMatching(/^claude-mem.db: observations 5: its text has 11\d{5} characters$/),
    ]);
    expect(notesOf(items)).toMatchObject([
      {
        title: '12',
        body: '- {"not": "a list"}\n',
        project: '7',
        tags: ['import', 'kind:4.5', '1', 'c'],
        createdAtMs: undefined,
      },
      { title: 'T', body: '- [broken\n', createdAtMs: Date.UTC(2026, 4, 1, 10) },
    ]);
  });

  it('keeps tags and project on one line, and no more tags than a command may set', async () => {
    const concepts = JSON.stringify(['a\nb', 'x'.repeat(101), ...Array.from({ length: 100 }, (_, n) => `c${n}`)]);
    const file = databaseWith(`CREATE TABLE observations (id INTEGER, title TEXT, project TEXT, concepts TEXT);
      INSERT INTO observations VALUES (1, 'T', 'My${'\n'}Shop', '${concepts}');`);
    const [note] = notesOf(await readAll(file, 'claude-mem'));
    expect(note?.project).toBe('my shop');
    expect(note?.tags.slice(0, 4)).toEqual(['import', 'kind:observation', 'a b', 'c0']);
    expect(note?.tags).toHaveLength(64);
  });

  it('skips an observation that is marked as stale', async () => {
    const file = databaseWith(`CREATE TABLE observations (id INTEGER, title TEXT, is_stale INTEGER);
      INSERT INTO observations VALUES (1, 'old', 1), (2, 'new', 0);`);
    expect(notesOf(await readAll(file, 'claude-mem')).map(({ title }) => title)).toEqual(['new']);
  });

  it('reports which tables it looked for in another database', async () => {
    const file = databaseWith('CREATE TABLE t (a)');
    expect(recogniseFormat(file)).toBeUndefined();
    expect(problemsOf(await readAll(file, 'claude-mem'))).toEqual([
      expect.stringContaining("none of claude-mem's tables"),
    ]);
  });

  it('does not mistake a view for a table', async () => {
    const file = databaseWith("CREATE VIEW observations AS SELECT 1 AS id, 'x' AS title, 1 AS created_at_epoch");
    expect(recogniseFormat(file)).toBeUndefined();
    expect(notesOf(await readAll(file, 'claude-mem'))).toEqual([]);
  });

  it('reads 100,000 rows one at a time', { timeout: 30_000 }, async () => {
    const file = databaseWith(`
      CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, type TEXT, title TEXT,
        narrative TEXT, created_at_epoch INTEGER);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO observations SELECT i, 's', 'p', 'discovery', 'Title ' || i, printf('%.*c', 500, 'y'), 1777629600000 FROM n;
    `);
    const { formats } = await import('../../../src/import/formats.js');
    const { native } = await import('../support.js');
    globalThis.gc?.();
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
    let count = 0;
    let most = 0;
    for await (const item of formats['claude-mem'].read(file, native)) {
      if (item.kind === 'note') count += 1;
      if (count % 5000 === 0)
        most = Math.max(most, process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed);
    }
    expect(count).toBe(100_000);
    // The texts alone are 50 MB, and as strings of the heap with their notes more than 100 MB.
    expect(most - before).toBeLessThan(100_000_000);
  });
});

describe('import from claude-memory', () => {
  const table = `
    CREATE TABLE memories (id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL, category TEXT NOT NULL DEFAULT 'facts',
      tags TEXT DEFAULT '', expanded_keywords TEXT DEFAULT '', importance REAL DEFAULT 0.5, is_sensitive INTEGER DEFAULT 0,
      created_at TEXT, updated_at TEXT, server_id INTEGER UNIQUE);
  `;

  it('imports content, category, tags, keywords, importance and times', async () => {
    const file = databaseWith(
      `${table}
      INSERT INTO memories (content, category, tags, expanded_keywords, importance, created_at, updated_at) VALUES
        ('Deploys need the VPN.', 'runbook', 'deploy, network,', 'tunnel  wireguard rollout', 0.9,
         '2026-03-01T10:00:00.123456+00:00', '2026-03-02T10:00:00+00:00'),
        ('The gateway went down.', 'post-mortems', '', '', 7, '2026-03-01T10:00:00+00:00', NULL),
        ('Ana leads the shop.', 'People', NULL, NULL, NULL, NULL, NULL);`,
      { name: 'memory.db' },
    );
    expect(recogniseFormat(file)).toBe('claude-memory');
    expect(recogniseFormat(join(file, '..'))).toBe('claude-memory');
    const items = await readAll(file, 'claude-memory');
    expect(problemsOf(items)).toEqual([]);
    expect(notesOf(items)).toEqual([
      {
        sourceKey: 'claude-memory:2026-03-01T10:00:00.123456+00:00/1',
        title: '',
        body: 'Deploys need the VPN.\n',
        tags: ['runbook', 'deploy', 'network'],
        keywords: ['tunnel', 'wireguard', 'rollout'],
        project: undefined,
        type: 'procedural',
        createdAtMs: Date.UTC(2026, 2, 1, 10, 0, 0, 123),
        updatedAtMs: Date.UTC(2026, 2, 2, 10),
        importance: 0.9,
      },
      expect.objectContaining({ type: 'episodic', importance: 1, tags: ['post-mortems'] }),
      expect.objectContaining({
        sourceKey: expect.stringMatching(/^claude-memory:[0-9a-f]{32}$/),
        type: 'semantic',
        tags: ['people'],
        importance: undefined,
      }),
    ]);
  });

  it('leaves out deleted rows, and sensitive rows with a report of their number', async () => {
    const file = databaseWith(`${table}
      ALTER TABLE memories ADD COLUMN deleted_at TEXT;
      INSERT INTO memories (content, is_sensitive, deleted_at) VALUES ('open', 0, NULL), ('hidden', 1, NULL),
        ('hidden too', 'yes', NULL), ('gone', 0, '2026-01-01'), ('gone and hidden', 1, '2026-01-01'), ('unmarked', NULL, NULL);
    `);
    const items = await readAll(file, 'claude-memory');
    expect(notesOf(items).map(({ body }) => body)).toEqual(['open\n', 'unmarked\n']);
    expect(problemsOf(items)).toEqual(['claude-mem.db: 2 rows are marked as sensitive and were left out']);
    expect(JSON.stringify(items)).not.toContain('hidden');
  });

  it('reports what it looked for when there is no such table', async () => {
    const file = databaseWith('CREATE TABLE memories (id, content)', { name: 'memory.db' });
    expect(recogniseFormat(file)).toBeUndefined();
    expect(problemsOf(await readAll(file, 'claude-memory'))).toEqual([
      expect.stringContaining('no table has the columns'),
    ]);
    await expect(readAll(folderWith({}), 'claude-memory')).rejects.toThrow(
      'there is no memory/memory.db and no memory.db',
    );
  });

  it('finds the database where the program keeps it', () => {
    const folder = folderWith({});
    mkdirSync(join(folder, 'memory'));
    copyFileSync(databaseWith(table), join(folder, 'memory/memory.db'));
    expect(recogniseFormat(folder)).toBe('claude-memory');
  });

  it('does not look for the database behind a link out of the folder', async () => {
    const [folder, elsewhere] = [folderWith({}), folderWith({})];
    copyFileSync(databaseWith(table), join(elsewhere, 'memory.db'));
    symlinkSync(elsewhere, join(folder, 'memory'));
    expect(recogniseFormat(folder)).toBeUndefined();
    await expect(readAll(folder, 'claude-memory')).rejects.toThrow('there is no memory/memory.db');
  });
});

describe('a database of another program', () => {
  const memories =
    "CREATE TABLE observations (id INTEGER PRIMARY KEY, title TEXT, created_at_epoch INTEGER); INSERT INTO observations VALUES (1, 'kept', 1);";
  const titlesIn = async (file: string): Promise<string[]> =>
    notesOf(await readAll(file, 'claude-mem')).map(({ title }) => title);

  it.each([
    ['a rollback journal', false],
    ['a write-ahead log that no program has open', true],
  ])('with %s is read, and not changed', async (_, wal) => {
    const file = databaseWith(memories, { wal });
    const before = readFileSync(file);
    expect(recogniseFormat(file)).toBe('claude-mem');
    expect(await titlesIn(file)).toEqual(['kept']);
    expect(readFileSync(file)).toEqual(before);
  });

  it('is read with its write-ahead log while its program has it open and after that was killed', async () => {
    const file = join(folderWith({}), 'claude-mem.db');
    const database = new Database(file);
    onTestFinished(() => void database.close());
    database.pragma('journal_mode = WAL');
    database.pragma('wal_autocheckpoint = 0');
    database.exec(memories);
    expect(await titlesIn(file)).toEqual(['kept']);
    // As a killed program leaves it: the database and its log, without the shared memory file.
    const folder = folderWith({});
    for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, join(folder, `claude-mem.db${end}`));
    const killed = join(folder, 'claude-mem.db');
    expect(await titlesIn(killed)).toEqual(['kept']);
  });

  it('is read with its write-ahead log through a link', async () => {
    const file = join(folderWith({}), 'claude-mem.db');
    const database = new Database(file);
    database.pragma('journal_mode = WAL');
    database.pragma('wal_autocheckpoint = 0');
    database.exec(memories);
    const [killed, elsewhere] = [folderWith({}), folderWith({})];
    for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, join(killed, `claude-mem.db${end}`));
    database.close();
    symlinkSync(join(killed, 'claude-mem.db'), join(elsewhere, 'claude-mem.db'));
    expect(await titlesIn(join(elsewhere, 'claude-mem.db'))).toEqual(['kept']);
  });

  it('is reported while its program has it locked', async () => {
    const file = databaseWith(memories);
    const database = new Database(file);
    onTestFinished(() => void database.close());
    database.exec('BEGIN EXCLUSIVE');
    expect(problemsOf(await readAll(file, 'claude-mem'))).toEqual([expect.stringContaining('locked')]);
  });

  it('that is invalid, empty or truncated is reported', async () => {
    const folder = folderWith({
      'a.db': 'SQLite format 3\0 and then nothing of it',
      'b.db': '',
      'c.db': 'x'.repeat(5000),
    });
    const whole = databaseWith(current);
    const cut = join(folder, 'd.db');
    copyFileSync(whole, cut);
    truncateSync(cut, 5000);
    for (const name of ['a.db', 'c.db', 'd.db']) {
      expect(recogniseFormat(join(folder, name))).toBeUndefined();
      expect(problemsOf(await readAll(join(folder, name), 'claude-mem'))).toEqual([
        expect.stringMatching(new RegExp(`^${name}: (?:\\w+: )?the database cannot be read: `)),
      ]);
    }
    expect(problemsOf(await readAll(join(folder, 'b.db'), 'claude-mem'))).toEqual([expect.stringContaining('none of')]);
  });

  it('with a damaged page yields the rows before it and the other tables', async () => {
    const file = databaseWith(`
      PRAGMA page_size = 1024;
      CREATE TABLE observations (id INTEGER PRIMARY KEY, title TEXT, created_at_epoch INTEGER);
      CREATE TABLE directives (id INTEGER PRIMARY KEY, content TEXT, created_at_epoch INTEGER);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO observations SELECT i, printf('%.*c', 100, 'y'), 1 FROM n;
      INSERT INTO directives VALUES (1, 'whole', 1);
    `);
    const bytes = readFileSync(file);
    bytes.fill(0xee, 20 * 1024, 21 * 1024);
    writeFileSync(file, bytes);
    const items = await readAll(file, 'claude-mem');
    expect(problemsOf(items)).toEqual([
      expect.stringMatching(/^claude-mem.db: observations: the database cannot be read: .*malformed/),
    ]);
    const notes = notesOf(items);
    expect(notes.at(-1)?.body).toBe('whole\n');
    expect(notes.length).toBeGreaterThan(50);
    expect(notes.length).toBeLessThan(500);
  });

  it('may have tables and columns whose names contain SQL', async () => {
    const file = databaseWith(`${memories} CREATE TABLE "a'; DROP TABLE observations; --" ("x"" y" TEXT);`);
    expect(await titlesIn(file)).toEqual(['kept']);
  });
});
