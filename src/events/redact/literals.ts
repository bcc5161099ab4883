/** Finds any of many words in one pass: a pattern of a hundred alternatives would try them at every character. */

/** Called with each word that stands at a place, the longest first; `true` ends the search at that place. */
export type Visit = (at: number, word: string) => boolean | undefined;
export type WordScanner = (text: string, visit: Visit) => void;

const lowerCode = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

/** Words have two or more characters, all ASCII; with `anyCase` they are given in lower case. */
export const wordScanner = (words: readonly string[], anyCase: boolean): WordScanner => {
  const byFront: (readonly string[] | undefined)[] = new Array(1 << 14);
  const fronts = new Uint8Array(1 << 14);
  for (const word of [...new Set(words)].sort((a, b) => b.length - a.length)) {
    const front = (word.charCodeAt(0) << 7) | word.charCodeAt(1);
    fronts[front] = 1;
    byFront[front] = [...(byFront[front] ?? []), word];
  }
  const stands = (text: string, at: number, word: string): boolean => {
    if (!anyCase) return text.startsWith(word, at);
    for (let i = 2; i < word.length; i++) if (lowerCode(text.charCodeAt(at + i)) !== word.charCodeAt(i)) return false;
    return true;
  };
  return (text, visit) => {
    const last = text.length - 1;
    if (last < 1) return;
    let next = text.charCodeAt(0);
    if (anyCase) next = lowerCode(next);
    for (let at = 0; at < last; at++) {
      const code = next;
      next = text.charCodeAt(at + 1);
      if (anyCase) next = lowerCode(next);
      if (code > 127 || next > 127) continue;
      const front = (code << 7) | next;
      if (fronts[front] === 0) continue;
      for (const word of byFront[front] ?? []) if (stands(text, at, word) && visit(at, word) === true) break;
    }
  };
};
