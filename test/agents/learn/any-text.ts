import fc from 'fast-check';

/** Any UTF-16 units, including half characters. fast-check's own `binary` takes four seconds to set up. */
export const anyUnits = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.oneof(fc.nat(0xff), fc.nat(0xffff)).map((code) => String.fromCharCode(code)), maxLength });
