import { describe, expect, it } from 'vitest';
import type { SearchHit } from '../../../src/answers/note-schema.js';
import type { SearchAnswer } from '../../../src/app/notes.js';
import { answerHits } from '../../../src/mcp/tools/lean-notes.js';
import { noAnswer } from '../../../src/store/search-options.js';

const hit = (fields: Partial<SearchHit>): SearchHit =>
  ({
    id: '01J2000000000000000000000A',
    short_id: '00000A',
    title: 'Ports',
    project: 'shop',
    type: 'semantic',
    scope: 'portable',
    user_id: 'self',
    workspace_id: 'personal',
    machine_id: 'box',
    source: 'human',
    written_by: 'person',
    confidence: 1,
    sensitive: false,
    created_at: '2026-06-01T00:00:00+00:00',
    updated_at: '2026-06-01T00:00:00+00:00',
    tags: [],
    keywords: [],
    supersedes: [],
    rank: 1,
    score: 1,
    snippet: 'short',
    ...fields,
  }) as unknown as SearchHit;

const part = `…${'the ridge above the hut '.repeat(10)}…`;

const found = (hits: readonly SearchHit[], total: number): SearchAnswer => ({ ...noAnswer, hits, total });

describe('the hits that a model is given', () => {
  it('have at most 450 characters each, with snippets cut after a word where needed', () => {
    const hits = Array.from({ length: 8 }, () =>
      hit({
        title: 'Decision: Kustomize for our services, Helm only for what others publish',
        project: 'github.com/acme/infrastructure/platform',
        tags: ['kubernetes', 'helm', 'kustomize', 'decision', 'platform-team'],
        snippet: part,
      }),
    );
    const answer = answerHits(found(hits, 8), { first: ['github.com/acme/infrastructure/platform', 'global'] });
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(3600);
    for (const { snippet } of answer.hits) expect(snippet).toMatch(/^…the .*\w…$/);
  });

  it('have short bodies in full, whatever the size', () => {
    const snippet = 'whole '.repeat(48).trim();
    const title = 'x'.repeat(300);
    for (const one of answerHits(found([hit({ snippet, title }), hit({ snippet, title })], 2), {}).hits)
      expect(one.snippet).toBe(snippet);
  });

  it('have no title or tag that fills the answer', () => {
    const hits = [hit({ title: 'é'.repeat(1_000_000), tags: Array.from({ length: 1000 }, () => 't'.repeat(1000)) })];
    expect(JSON.stringify(answerHits(found(hits, 1), {})).length).toBeLessThan(1000);
  });
});
