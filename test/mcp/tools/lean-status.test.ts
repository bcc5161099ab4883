import { describe, expect, it } from 'vitest';
import { LeanStatus } from '../../../src/answers/lean-schema.js';
import type { Status } from '../../../src/answers/store-schema.js';
import { leanStatus } from '../../../src/mcp/tools/lean-status.js';

const times = <Item>(count: number, item: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => item(at));

const quiet: Status = {
  root: '/home/ada/.anamnesis',
  db_path: '/home/ada/.anamnesis/index/v40-000001.db',
  machine: 'laptop',
  total: 0,
  live: 0,
  superseded: 0,
  events: 0,
  by_type: {},
  by_project: {},
  by_scope: {},
  by_workspace: {},
  skipped: [],
  hand_edits: [],
  left: [],
  lost_local: null,
  repeated_ids: [],
  conflicts: 0,
  agents: { last_capture: null, spool: 0, missing_transcripts: 0, model_calls_today: 0, proposals: 0 },
  sync: {
    initialized: true,
    remote: null,
    head: null,
    dirty: false,
    last_sync: null,
    unpublished: 0,
    trouble: null,
    detail: 'local only: this store has no remote',
  },
};
const broken = (at: number): Status['skipped'][number] => ({
  journal: 'memory',
  path: `notes/${at}.md`,
  code: 'front-matter',
  line: 2,
  key: null,
  message: `the front matter is no YAML ${'x'.repeat(500)}`,
});
const worst: Status = {
  ...quiet,
  total: 5000,
  live: 4000,
  by_type: { semantic: 5000 },
  by_project: Object.fromEntries(times(400, (at) => [`github.com/acme/service-${at}`, 400 - at])),
  skipped: times(300, broken),
  hand_edits: times(300, (at) => ({ journal: 'memory', path: `notes/edited-${at}.md`, change: 'edited' })),
  left: times(300, (at) => ({ journal: 'local', path: `${at}.md`, reason: 'it is a link' })),
  repeated_ids: times(300, (at) => `01J0000000000000000000${1000 + at}`),
  conflicts: 12,
  agents: {
    last_capture: '2026-07-01T10:00:00.000+00:00',
    spool: 1,
    missing_transcripts: 0,
    model_calls_today: 3,
    proposals: 7,
  },
  sync: {
    ...quiet.sync,
    remote: 'git@example.com:ada/memory.git',
    unpublished: 40,
    trouble: { code: 'auth', message: 'denied', next: 'check the key', since: '2026-07-01', failures: 9 },
    detail: 'access denied since 2026-07-01: denied; 40 to publish',
  },
};

describe('the status that an agent reads', () => {
  it('mentions no trouble when all is well', () => {
    expect(leanStatus(quiet, 'global')).toEqual({
      state: 'local only: this store has no remote',
      root: quiet.root,
      machine: 'laptop',
      total: 0,
      live: 0,
      by_type: {},
      by_project: {},
    });
  });
  it('says what is wrong and what waits, one line for each kind with its first examples', () => {
    const status = leanStatus(worst, 'global');
    expect(status.state).toBe('access denied since 2026-07-01: denied; 40 to publish; check the key');
    expect(status.wrong).toHaveLength(3);
    expect(status.wrong?.[0]).toMatch(/^300 files are not readable notes: memory\/notes\/0\.md:2: .*; and 298 more$/);
    expect(status.wrong?.[1]).toBe(
      '300 files were left alone: local/0.md: it is a link; local/1.md: it is a link; and 298 more',
    );
    expect(status.waiting).toEqual([
      expect.stringMatching(
        /^300 changes by hand that are not recorded \(anamnesis adopt\): edited memory\/notes\/edited-0/,
      ),
      '12 conflicts (anamnesis conflicts)',
      '7 proposals to review (anamnesis review)',
      '1 item in the spool (anamnesis work)',
    ]);
  });
  it('stays under 2,500 characters whatever the store holds, and fits its schema', () => {
    const status = leanStatus(worst, 'global');
    expect(JSON.stringify(status).length).toBeLessThan(2500);
    expect(LeanStatus.safeParse(status).error).toBeUndefined();
  });
  it('counts the notes of the client’s project and of the largest ones', () => {
    const { by_project, more_projects } = leanStatus(worst, 'github.com/acme/service-399');
    expect(Object.entries(by_project)).toEqual([
      ['github.com/acme/service-399', 1],
      ...times(4, (at) => [`github.com/acme/service-${at}`, 400 - at]),
    ]);
    expect(more_projects).toBe(395);
  });
});
