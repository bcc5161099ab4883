import { describe, expect, it } from 'vitest';
import { likelyForms } from '../../../../src/projections/search/families/word-families.js';

describe('likely forms of a word', () => {
  it.each<[word: string, form: string]>([
    ['relay', 'relayer'],
    ['conveyance', 'convey'],
    ['betrayals', 'betray'],
    ['displaying', 'displayable'],
    ['shipment', 'ship'],
    ['shipped', 'shipments'],
    ['quick', 'quickly'],
    ['easily', 'easy'],
    ['simply', 'simple'],
    ['monthly', 'months'],
    ['sendung', 'sendungen'],
    ['Sendungen', 'sendung'],
    ['lücke', 'lucken'],
    ['lückenlose', 'luckenlos'],
    ['ergebnisse', 'ergebnis'],
    ['gemahnt', 'mahnung'],
    ['Mahnungen', 'gemahnt'],
    ['gemahnt', 'mahnen'],
    ['eingespielt', 'einspielen'],
    ['Einspielung', 'eingespielt'],
    ['abrechnen', 'abgerechnet'],
    ['geliefert', 'liefern'],
    ['liefern', 'lieferung'],
    ['gewartet', 'wartung'],
    ['mitgliedern', 'mitglieder'],
    ['passwort', 'passworter'],
    ['réseau', 'reseaux'],
    ['journaux', 'journal'],
    ['serveurs', 'server'],
    ['raíces', 'raiz'],
    ['configuração', 'configuracoes'],
    ['status', 'statuses'],
  ])('of %s include %s', (word, form) => {
    expect(likelyForms(word)).toContain(form);
  });

  it.each<[word: string, other: string]>([
    ['list', 'listen'],
    ['state', 'statement'],
    ['base', 'basement'],
    ['inter', 'intern'],
    ['lay', 'layer'],
    ['us', 'use'],
    ['committen', 'committed'],
    ['gestern', 'stern'],
    ['target', 'targung'],
    ['mahnen', 'mahnen'],
  ])('of %s do not include %s', (word, other) => {
    expect(likelyForms(word)).not.toContain(other);
  });

  it.each(['sha256', 'k8s', '', 'ab', 'очередь', '\u8fc1\u79fb', 'x'.repeat(40)])('do not exist for %j', (word) => {
    expect(likelyForms(word)).toEqual([]);
  });
});
