/** The pieces of every answer's schema: strict, so that a key nobody described is found by a test. */
import * as z from 'zod';

export const shape = <Shape extends z.ZodRawShape>(keys: Shape) => z.strictObject(keys).readonly();
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();
export const counts = () => z.record(z.string(), z.int()).readonly();
export const text = () => z.string();
export const whole = () => z.int();
/** A folder of the store. */
export const journalFolder = () => z.enum(['memory', 'local']);
