/** A part of the app whose code is loaded with its first use case: `search` and `--help` must not wait for a backup's. */

type UseCases = Readonly<Record<string, (...asked: never[]) => Promise<unknown>>>;

/** Every use case answers a promise, so that nobody can tell. */
export const later = <Part extends UseCases>(load: () => Promise<Part>): Part => {
  const empty: Part = Object.create(null);
  return new Proxy(empty, {
    // Nothing but a use case: an `await` of the part itself asks for `then`.
    get: (_, name) =>
      typeof name === 'symbol' || name === 'then'
        ? undefined
        : async (...asked: readonly unknown[]): Promise<unknown> => {
            const part = await load();
            return Reflect.apply(Reflect.get(part, name), part, asked);
          },
  });
};
