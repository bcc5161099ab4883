/** Loads a part of the app with its first use case: `search` and `--help` must not wait for the code of `backup`. */

type UseCases = Readonly<Record<string, (...asked: never[]) => Promise<unknown>>>;

/** Every use case returns a promise, so callers see no difference. */
export const later = <Part extends UseCases>(load: () => Promise<Part>): Part => {
  const empty: Part = Object.create(null);
  return new Proxy(empty, {
    // `await` on the part itself looks up `then`, which isn't a use case.
    get: (_, name) =>
      typeof name === 'symbol' || name === 'then'
        ? undefined
        : async (...asked: readonly unknown[]): Promise<unknown> => {
            const part = await load();
            return Reflect.apply(Reflect.get(part, name), part, asked);
          },
  });
};
