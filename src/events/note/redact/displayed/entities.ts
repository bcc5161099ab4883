/** Decodes characters that HTML spells by name or number: `&quot;`, `&#61;`, `&#x3D;`, `<wbr>`. Pure. */
import { blankOf } from './other-blanks.js';

/** Signs that occur around a value or in a token, blanks, and invisible marks. */
const signByName: Readonly<Record<string, string>> = {
  ...{ quot: '"', QUOT: '"', apos: "'", grave: '`', DiacriticalGrave: '`' },
  ...{ ldquo: '“', rdquo: '”', lsquo: '‘', rsquo: '’', laquo: '«', raquo: '»' },
  ...{ equals: '=', colon: ':', semi: ';', comma: ',', period: '.', sol: '/', bsol: '\\', commat: '@' },
  ...{ lowbar: '_', UnderBar: '_', hyphen: '-', dash: '-', plus: '+', num: '#', dollar: '$', percnt: '%', excl: '!' },
  ...{ ast: '*', midast: '*', quest: '?', Hat: '^', verbar: '|', vert: '|', VerticalLine: '|' },
  ...{ lt: '<', LT: '<', gt: '>', GT: '>', amp: '&', AMP: '&', lpar: '(', rpar: ')' },
  ...{ lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', lcub: '{', lbrace: '{', rcub: '}', rbrace: '}' },
  ...{ nbsp: ' ', NonBreakingSpace: ' ', ensp: ' ', emsp: ' ', emsp13: ' ', emsp14: ' ', numsp: ' ', puncsp: ' ' },
  ...{ thinsp: ' ', ThinSpace: ' ', hairsp: ' ', VeryThinSpace: ' ', MediumSpace: ' ', Tab: '\t', NewLine: '\n' },
  ...{ shy: '', zwj: '', zwnj: '', lrm: '', rlm: '', NoBreak: '', ZeroWidthSpace: '', NegativeThinSpace: '' },
  ...{ af: '', ApplyFunction: '', it: '', InvisibleTimes: '', ic: '', InvisibleComma: '', wbr: '' },
};

const body = String.raw`#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|${Object.keys(signByName).join('|')}`;

/** Has a group for the name or number. The ampersand may itself be spelled, in a page that shows HTML. Linear. */
export const entity = `(?:&(?:amp;){0,2}|<(?=wbr))(${body})(?:;|(?<=<wbr) ?/?>)`;

const anyEntity = new RegExp(entity);
/** A quick test: false for a text that surely has none. */
export const mayHaveEntity = (text: string): boolean =>
  (text.includes('&') || text.includes('<wbr')) && anyEntity.test(text);

const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

/** Returns undefined for a number that no character has. */
export const signOfEntity = (name: string): string | undefined => {
  if (!name.startsWith('#')) return signByName[name];
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  if (code === 9 || code === 10 || code === 13) return code === 9 ? '\t' : '\n';
  if (code > 0x10ffff) return undefined;
  const character = String.fromCodePoint(code);
  return unseen.test(character) ? '' : blankOf(character);
};
