/** Tells whether two texts would look the same on paper. Pure. */
import { normalForm } from '../normal-form.js';

type Text = { readonly title: string; readonly body: string };

/** True if only trailing white space, line ends, blank lines around the text or the Unicode form (NFC) differ. */
export const isSameText = (one: Text, other: Text): boolean =>
  plain(one.title.trim()) === plain(other.title.trim()) && plain(one.body) === plain(other.body);

const plain = (text: string): string => {
  const lines = normalForm(text)
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(Math.max(0, first), last + 1).join('\n');
};
