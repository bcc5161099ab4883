/**
 * Example keys from their issuers' documentation, which grant no access. Each counts only as the whole value: a part of
 * one in the middle of another value says nothing about the rest.
 */

const base64 = (most: number): string => `[A-Za-z0-9+/_-]{0,${most}}={0,2}`;
const awsId = '(?:A[A-Z]{3}[A-Z0-9]{9}|A[A-Za-z]{3,5}IOSFODNN7)EXAMPLE';
const awsScope = '(?:(?:/|%2F)[0-9]{8}(?:(?:/|%2F)[a-z0-9-]{2,20}){2}(?:/|%2F)aws4_request)?';

const documented = new RegExp(
  `^(?:${[
    `${awsId}${awsScope}`,
    `(?:${awsId}:)?[A-Za-z0-9/+]{28,32}EXAMPLEKEY`,
    '(?:[srp]k_(?:test|live)_)?(?:4eC39HqLyjWDarjtT1zdp7dc|BQokikJOvBiI2HlWgH4olfQ2|26PHem9AhJZvU623DfE1x4sd):?',
    String.raw`eyJ[\w-]{10,200}\.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lI[\w-]{0,100}(?:\.[\w-]{0,700})?`,
    'QWxhZGRpbjpvcGVuIHNlc2FtZQ={0,2}|QWxhZGRpbjpPcGVuU2VzYW1l',
    String.raw`mF_9\.B5f-4\.1JqM`,
    String.raw`T0{8}\\?/B0{8}\\?/[\w-]{0,40}`,
    String.raw`(?:bot)?(?:\d{6,10}:)?(?:ABC-DEF1234ghIkl[\w-]{0,20}|AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw\w?|AAFD39kkdpWt3ywyRZergyOLMaJhac60qc\w?)`,
    '(?:gh[a-z]_)?16C7e42F292c6912E7710c838347Ae178B4a',
    String.raw`MTk4NjIyNDgzNDcxOTI1MjQ4(?:\.[\w-]{6,7}\.[\w-]{27,44})?`,
    `Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1${base64(56)}`,
    `C2y6yDjf5/R[+]ob0N8A7Cgv30VRDJIWEHLM${base64(54)}`,
    `AQoEXAMPLEH4aoAH0gNC${base64(400)}`,
    `[AFI]Qo[A-Za-z0-9+/]{0,60}wEXAMPLEt(?:c764bNrC9|MSJHMEUCIDoKK)${base64(400)}`,
    `AQoDYXdzEE0a8ANXXXXXXXXNO1ewxE5${base64(30)}`,
    String.raw`(?:Atza(?:%7C|\|))?IQEBLjAsAhRF\w{0,60}ZXXXXXXXXJnrulxKDHwy${base64(400)}`,
    '1234567891011EXAMPLE',
    '[0-9A-Za-z]{8}-5678-90ab-cdef-[0-9A-Za-z]{12}|[0-9A-Za-z]{8}-90ab-cdef-fedc-ba987[0-9A-Za-z]{3,9}',
    `EXAMPLE3VYb9EDI2${base64(40)}`,
    'eoEmxw[+]YaYhb3h3iVJHuXMJXqeu1q1/wwmvjuEXAMPLE',
    String.raw`(?:amzn1\.account\.)?AF6RHO7KZU5XRVQJGXK6HEXAMPLE`,
  ].join('|')})$`,
);

/** An issuer's prefix: `sk`, `ant`, `api03`. */
const prefix = /^[A-Za-z]{1,8}\d{0,2}$/;
const gluedPrefix = /^[A-Za-z]{1,8}\d{0,2}(?=abcd)/;

/** True for runs of three or more characters in alphabetical or numerical order; the last may be cut off. */
const isInOrder = (piece: string): boolean => {
  let length = 1;
  for (let at = 1; at < piece.length; at += 1) {
    const step = piece.charCodeAt(at) - piece.charCodeAt(at - 1);
    if (step === 1 || piece.slice(at - 1, at + 1) === '90') length += 1;
    else if (length < 3) return false;
    else length = 1;
  }
  return length >= 3 || piece.length >= 6;
};

/** `ghp_abcdefghijklmnopqrstuvwxyz1234567890`: typed by hand, with nothing else after the prefix. */
const isAlphabet = (value: string): boolean => {
  if (!value.includes('abcdefghijklmnopqrstuvwxyz')) return false;
  const pieces = value.split(/[^A-Za-z0-9]+/).filter((piece) => piece !== '');
  const first = pieces.findIndex((piece) => !prefix.test(piece));
  return pieces.slice(first).every((piece, at) => isInOrder(at === 0 ? piece.replace(gluedPrefix, '') : piece));
};

export const isDocumented = (value: string): boolean => documented.test(value) || isAlphabet(value);
