/**
 * Texts of bounded length outside the JavaScript heap, each in a slot that a later one may take over. Thousands of
 * turns that come and go as strings would grow the heap by tens of megabytes before anything is collected.
 */
export type TextSlots = {
  readonly put: (slot: number, text: string) => void;
  /** '' for a slot that was never filled. */
  readonly get: (slot: number) => string;
};

/** Memory is taken by what is written, not by the number of slots. */
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
