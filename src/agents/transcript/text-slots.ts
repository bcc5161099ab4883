/**
 * Texts of bounded length outside the JavaScript heap, each in a slot that a later one may overwrite. As strings,
 * thousands of short-lived turns would grow the heap by tens of megabytes before they are collected.
 */
export type TextSlots = {
  readonly put: (slot: number, text: string) => void;
  /** '' for a slot that was never filled. */
  readonly get: (slot: number) => string;
};

/** Memory is used only for what is written, whatever the number of slots. */
export const startTextSlots = (slots: number, maxUnits: number): TextSlots => {
  const slotBytes = 3 * maxUnits;
  const bytes = Buffer.allocUnsafeSlow(slots * slotBytes);
  const lengths = new Uint32Array(slots);
  return {
    put: (slot, text) => {
      lengths[slot] = bytes.write(text.slice(0, maxUnits), slot * slotBytes, slotBytes, 'utf8');
    },
    get: (slot) => bytes.toString('utf8', slot * slotBytes, slot * slotBytes + (lengths[slot] ?? 0)),
  };
};
