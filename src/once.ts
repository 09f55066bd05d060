/** Calls `make` lazily and caches the result, so that a command that does not need it starts sooner. */
export const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
